import { formatTime } from '#domain/dateFormat.ts'
import { Box, Button, Flex } from '@mantine/core'
import type { ReactNode } from 'react'
import { type Batch, batchEndpoints, type PauseReason } from '#contract/console/batches.ts'
import { formatCount } from '#domain/metricFormat.ts'
import { ProblemAlert } from '../../components/layout/ProblemAlert.tsx'
import { useMessages } from '../../components/i18n/useMessages.ts'
import { useWrite } from '../../client/query.ts'
import { estimateBatch, countEndedRows, formatPrices, useApproximateDuration } from './batchFigures.ts'
import { batchMessages } from './messages.ts'
import { Can } from '../../client/Can.tsx'

/** A bare 500 that several rows were answered at once. */
const isOverload = (problem: Batch['problem']): boolean => problem?.upstream?.status === 500

/** A note between the head of the page and the rows. */
const Band = ({ children }: { children: ReactNode }) => (
  <Flex
    flex="none"
    wrap="wrap"
    align="center"
    rowGap="xs"
    columnGap="md"
    px="lg"
    py="sm"
    fz="sm"
    c="dimmed"
    bg="var(--sunken)"
    style={{ borderBottom: '1px solid var(--line)' }}
  >
    {children}
  </Flex>
)

/** Offers to send the failed rows of a finished batch again. */
function FailedRowsNote({ batch }: { batch: Batch }) {
  const t = useMessages(batchMessages)
  const retry = useWrite(batchEndpoints.retryBatch)
  const rerun = () => retry.mutate({ params: { batch_id: batch.id }, body: { states: ['failed'] } })
  return (
    <Band>
      <span>{t('rowsFailed', { n: batch.counts.failed })}</span>
      <Can entry={batchEndpoints.retryBatch}>
        <Button variant="default" loading={retry.isPending} onClick={rerun}>
          {t('rerunFailed')}
        </Button>
      </Can>
      {retry.error ? <ProblemAlert problem={retry.error.problem} action={t('changeWhat')} /> : null}
    </Band>
  )
}

/** Why a batch is paused or waits, and how to resume; nothing while it runs. */
export function BatchPauseNote({ batch }: { batch: Batch }) {
  const t = useMessages(batchMessages)
  const duration = useApproximateDuration()
  const start = useWrite(batchEndpoints.startBatch)
  const { state, pause, problem, bounds: limits, counts, total } = batch
  const params = { batch_id: batch.id }
  if (state === 'filling') {
    const remainingRows = Object.values(counts).reduce((all, rows) => all + rows, 0)
    return <Band>{t('filling', { missing: total - remainingRows })}</Band>
  }
  if (state === 'running' && batch.waits_until)
    return (
      <Band>
        <span>
          {t(isOverload(problem) ? 'tooMany' : 'waitsUntil', {
            time: formatTime(batch.waits_until),
          })}
        </span>
        {problem ? <q>{problem.message}</q> : null}
      </Band>
    )
  if (state === 'running' && isOverload(problem)) return <Band>{t('slowedDown')}</Band>
  if (state === 'ended' && counts.failed > 0) return <FailedRowsNote batch={batch} />
  if (state !== 'paused' || pause === null) return null
  const refusal = start.error ? <ProblemAlert problem={start.error.problem} action={t('changeWhat')} /> : null
  if (pause === 'refused' && problem)
    return (
      <Box flex="none" maw={760} px="lg" py="md">
        <ProblemAlert problem={problem} title={t('refusedTitle')}>
          <Can entry={batchEndpoints.startBatch}>
            <Button loading={start.isPending} onClick={() => start.mutate({ params, body: {} })}>
              {t('resume')}
            </Button>
          </Can>
        </ProblemAlert>
        {refusal}
      </Box>
    )
  const { rows, ms, tokens, prices } = estimateBatch(batch)
  const reachedLimit = LIMITS_BY_PAUSE[pause]
  return (
    <Band>
      <span>
        {t(`pauseReason.${pause}`, {
          done: countEndedRows(batch),
          max: limits[reachedLimit ?? 'max_tokens'] ?? 0,
          reason: problem?.message ?? '',
        })}
      </span>
      {rows > 0 && countEndedRows(batch) > 0 ? (
        <span>
          {t('estimate', {
            rows,
            time: ms === null ? t('notGiven') : duration(ms),
            tokens: tokens === null ? t('notGiven') : formatCount(tokens),
            price: formatPrices(prices) ?? t('notGiven'),
          })}
        </span>
      ) : null}
      <Can entry={batchEndpoints.startBatch}>
        {pause === 'dry_run' ? (
          <Button loading={start.isPending} onClick={() => start.mutate({ params, body: {} })}>
            {t('runRest')}
          </Button>
        ) : null}
        {reachedLimit ? (
          <Button
            variant="default"
            loading={start.isPending}
            onClick={() => start.mutate({ params, body: { [reachedLimit]: null } })}
          >
            {t('resumeWithoutLimit')}
          </Button>
        ) : null}
      </Can>
      {refusal}
    </Band>
  )
}

/** The limit that has stopped a batch. */
const LIMITS_BY_PAUSE: Partial<Record<PauseReason, 'max_rows' | 'max_tokens' | 'max_price'>> = {
  row_cap: 'max_rows',
  token_cap: 'max_tokens',
  no_tokens: 'max_tokens',
  price_cap: 'max_price',
  no_price: 'max_price',
}
