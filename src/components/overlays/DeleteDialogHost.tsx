import { ModalsProvider, useModals } from '@mantine/modals'
import { useMutation } from '@tanstack/react-query'
import { useEffect, useEffectEvent } from 'react'
import type { ProblemError } from '#contract/problem.ts'
import { useReturnFocus } from '../hooks/useReturnFocus.ts'
import { commonMessages } from '../i18n/commonMessages.ts'
import { useMessages } from '../i18n/useMessages.ts'
import { DeleteConfirmation } from './DeleteConfirmation.tsx'
import type { AskedQuestion } from './useDeleteDialog.ts'

interface DeleteDialogHostProps {
  asked: AskedQuestion | null
  onClose: () => void
}

export const DeleteDialogHost = (props: DeleteDialogHostProps) => (
  <ModalsProvider>
    <QuestionOpener {...props} />
  </ModalsProvider>
)

function QuestionOpener({ asked, onClose }: DeleteDialogHostProps) {
  const t = useMessages(commonMessages)
  const modals = useModals()
  const open = useEffectEvent((question: AskedQuestion) =>
    modals.openModal({
      title: question.title,
      closeButtonProps: { 'aria-label': t('close') },
      children: <QuestionContent question={question} onClose={onClose} />,
      onClose,
    }),
  )
  const close = useEffectEvent((id: string) => modals.closeModal(id))
  useEffect(() => {
    if (!asked) return
    const id = open(asked)
    return () => close(id)
  }, [asked])
  return null
}

function QuestionContent({ question, onClose }: { question: AskedQuestion; onClose: () => void }) {
  useReturnFocus(question.opener)
  const { mutate, isPending, error } = useMutation<unknown, ProblemError>({
    mutationFn: async () => question.run(),
    onSuccess: onClose,
  })
  return (
    <DeleteConfirmation
      {...question}
      isPending={isPending}
      problem={error?.problem}
      onDelete={mutate}
      onClose={onClose}
    />
  )
}
