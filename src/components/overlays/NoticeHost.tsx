import '@mantine/core/styles/Notification.css'
import '@mantine/notifications/styles.css'
import { Notifications, notifications } from '@mantine/notifications'
import { IconCircleCheckFilled } from '@tabler/icons-react'
import { commonMessages } from '../i18n/commonMessages.ts'

const NOTICE_DURATION_MS = 5_000

export const NoticeHost = () => (
  <Notifications position="bottom-right" autoClose={NOTICE_DURATION_MS} transitionDuration={120} containerWidth={320} />
)

export const showNotice = (text: string): string =>
  notifications.show({
    message: text,
    role: 'status',
    icon: <IconCircleCheckFilled size={16} aria-hidden="true" />,
    color: 'transparent',
    withBorder: true,
    closeButtonProps: { 'aria-label': commonMessages.close },
  })
