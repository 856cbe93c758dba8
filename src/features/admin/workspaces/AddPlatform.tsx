import { Button, Text, Textarea, TextInput } from '@mantine/core'
import { SideDrawer } from '../../../components/overlays/SideDrawer.tsx'
import fields from '../../../components/forms/Fields.module.css'
import { ProblemAlert } from '../../../components/layout/ProblemAlert.tsx'
import type { IgnoredLine } from '#domain/platformKeys/keyLines.ts'
import { useIsChanged } from '../../../components/hooks/useIsChanged.ts'
import { useMessages } from '../../../components/i18n/useMessages.ts'
import { DetectedKeys } from './DetectedKeys.tsx'
import { workspaceMessages } from './messages.ts'
import classes from './Workspaces.module.css'
import { type AddPlatformProps, useAddPlatform } from './useAddPlatform.ts'

/** Adds a platform from a URL and a list of keys: detects the kind of each key, a person confirms, then saves. */
export function AddPlatform(props: AddPlatformProps) {
  const { workspace, onClose } = props
  const t = useMessages(workspaceMessages)
  const platform = useAddPlatform(props)
  const { name, setName, base_url, changeBaseUrl, pastedKeys, keys, setKeys, confirmedKeys, createdWorkspaceId } =
    platform
  const isDirty = useIsChanged([name, base_url, pastedKeys])
  const { detection, detectKeys, save, isReady, problem, urlError, keyError, failed, twins } = platform
  return (
    <SideDrawer
      onClose={onClose}
      title={workspace ? t('addKeysTitle', { name: workspace.name }) : t('addTitle')}
      isDirty={isDirty}
    >
      <form className={fields.form} onSubmit={detectKeys} noValidate autoComplete="off">
        {workspace ? null : (
          <>
            <TextInput
              label={t('name')}
              description={t('nameHelp')}
              value={name}
              maxLength={80}
              onChange={(event) => setName(event.currentTarget.value)}
            />
            <TextInput
              label={t('baseUrl')}
              description={t('baseUrlHelp')}
              placeholder="https://platform.example/v1"
              value={base_url}
              error={urlError}
              disabled={createdWorkspaceId !== null}
              onChange={(event) => changeBaseUrl(event.currentTarget.value)}
            />
            {workspace || twins.length === 0 ? null : (
              <p className={fields.note} role="status">
                {t('samePlatform', { names: twins.map((one) => one.name).join(', ') })}
              </p>
            )}
          </>
        )}
        <Textarea
          className={classes.secret}
          label={t('keys')}
          description={t('keysHelp')}
          autosize
          minRows={3}
          maxRows={10}
          spellCheck={false}
          value={pastedKeys}
          error={
            keyError
              ? `${t('ending', { number: String(Number(keyError.path.split('.')[2]) + 1) })} ${keyError.message}`
              : null
          }
          onChange={(event) => platform.changePastedKeys(event.currentTarget.value)}
        />
        <IgnoredLines lines={platform.ignored} />
        {problem && !urlError && !keyError ? (
          <ProblemAlert problem={problem} action={t('detectWhat')} isInForm />
        ) : null}
        {detection && keys ? (
          <DetectedKeys
            base_url={detection.base_url}
            correctedFrom={platform.correctedFrom}
            version={detection.version}
            keys={keys}
            onChange={setKeys}
          />
        ) : null}
        {failed ? <ProblemAlert problem={failed} action={t('saveWhat')} isInForm /> : null}
        <div className={fields.buttons}>
          {detection ? (
            <Button disabled={!isReady} loading={platform.isSaving} onClick={() => void save()}>
              {t(workspace ? 'saveKeys' : 'save', { count: confirmedKeys.length })}
            </Button>
          ) : null}
          <Button
            type="submit"
            variant={detection ? 'default' : 'filled'}
            loading={platform.isDetecting}
            disabled={!base_url.trim()}
          >
            {t('detectKeys')}
          </Button>
          <Button variant="default" onClick={onClose}>
            {t('cancel')}
          </Button>
          <p className={fields.note}>{t('detecting')}</p>
        </div>
      </form>
    </SideDrawer>
  )
}

/** Pasted lines that are not taken as keys, with the reason; never their values. */
function IgnoredLines({ lines }: { lines: readonly IgnoredLine[] }) {
  const t = useMessages(workspaceMessages)
  if (lines.length === 0) return null
  return (
    <div role="status">
      <Text c="var(--text-3)" fz="sm">
        {t('ignoredLines', { count: lines.length })}
      </Text>
      <Text component="ul" pl={18} c="dimmed" fz="sm">
        {lines.map(({ line, name, reason }) => (
          <li key={line}>
            {t('ignoredLine', { line: String(line), name: name ?? 'none', reason: t(`ignored_${reason}`) })}
          </li>
        ))}
      </Text>
    </div>
  )
}
