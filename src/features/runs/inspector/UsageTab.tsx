import { Box, Flex, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { IdChip } from '../../../components/data/IdChip.tsx'
import { RawJson } from '../../../components/data/json/RawJson.tsx'
import { StatusBadge } from '../../../components/data/StatusBadge.tsx'
import { useMessages } from '../../../components/i18n/useMessages.ts'
import { Price } from '../../../components/data/Price.tsx'
import {
  formatCount,
  formatExactPrice,
  formatPrice,
  formatSeconds,
  formatTokensPerSecond,
} from '#domain/metricFormat.ts'
import { runMessages } from '../detail/messages.ts'
import { isTurnOver, type Turn } from '../turn.ts'
import { readTurnFigures } from '../turnFigures.ts'
import blocks from '../../../components/layout/Blocks.module.css'

/** The usage of an answer, as measured by the platform and by the console. A missing value is shown as missing. */
export function UsageTab({ turn }: { turn: Turn }) {
  const t = useMessages(runMessages)
  const { answer, frames, state, run_id } = turn
  const { firstToken, duration } = readTurnFigures(turn)
  const usage = answer.usage
  const missing = isTurnOver(turn) ? t('notGiven') : t('withEnd')
  const number = (value: number | null | undefined) =>
    value === null || value === undefined ? null : formatCount(value)
  const time = (ms: number | null) => (ms === null ? null : t('secondsShort', { seconds: formatSeconds(ms) }))
  const unit = (
    price: string | null | undefined,
    unitPrice: string | null | undefined,
    per: string | null | undefined,
  ) => {
    const shown = formatPrice(price, usage?.currency)
    if (!shown) return null
    return (
      <span title={formatExactPrice(price, usage?.currency) ?? undefined}>
        {unitPrice && per
          ? t('unitPrice', { price: shown, unit: formatPrice(unitPrice, null) ?? unitPrice, per })
          : shown}
      </span>
    )
  }
  const groups: [string | null, [string, ReactNode][]][] = [
    [
      null,
      [
        [t('state'), <StatusBadge key="state" status={state} />],
        [t('mode'), answer.mode ?? (answer.run.workflow_run_id ? 'advanced-chat' : null)],
      ],
    ],
    [
      t('measuredHere'),
      [
        [t('firstFrame'), time(firstToken)],
        [t('tokensPerSecond'), formatTokensPerSecond(usage, firstToken, duration)],
        [t('duration'), time(duration)],
        [t('frames'), formatCount(frames)],
      ],
    ],
    [
      t('byPlatform'),
      [
        [
          t('latency'),
          usage?.latency === null || usage?.latency === undefined
            ? null
            : t('secondsShort', { seconds: usage.latency }),
        ],
        [t('promptTokens'), number(usage?.prompt_tokens)],
        [t('completionTokens'), number(usage?.completion_tokens)],
        [t('totalTokens'), number(usage?.total_tokens)],
        [t('promptPrice'), unit(usage?.prompt_price, usage?.prompt_unit_price, usage?.prompt_price_unit)],
        [
          t('completionPrice'),
          unit(usage?.completion_price, usage?.completion_unit_price, usage?.completion_price_unit),
        ],
        [
          t('totalPrice'),
          usage?.total_price ? <Price key="price" price={usage.total_price} currency={usage.currency} /> : null,
        ],
      ],
    ],
    [
      t('ids'),
      [
        [t('run'), <IdChip key="run" id={run_id} />],
        [t('message'), answer.message_id ? <IdChip key="message" id={answer.message_id} /> : null],
        [t('task'), answer.task_id ? <IdChip key="task" id={answer.task_id} /> : null],
      ],
    ],
  ]
  return (
    <>
      {groups.map(([heading, rows]) => (
        <section key={heading} aria-label={heading ?? t('usage')}>
          {heading === null ? null : (
            <Text component="h3" mt="md" fz="sm" fw={500} c="var(--text-3)">
              {heading}
            </Text>
          )}
          <Box component="dl" className={blocks.lined} mb="md" fz={13} style={FACTS_STYLE}>
            {rows.map(([name, value]) => (
              <Flex key={name} align="center" gap="md" mih={30}>
                <Text component="dt" inherit flex="0 0 44%" c="dimmed">
                  {name}
                </Text>
                <Box component="dd" miw={0}>
                  {value ?? (
                    <Text span inherit c="var(--text-3)">
                      {missing}
                    </Text>
                  )}
                </Box>
              </Flex>
            ))}
          </Box>
        </section>
      ))}
      {answer.metadata ? <RawJson value={answer.metadata} label={t('metadata')} /> : null}
    </>
  )
}

const FACTS_STYLE = { fontVariantNumeric: 'tabular-nums', overflowWrap: 'anywhere' } as const
