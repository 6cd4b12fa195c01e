import { useId } from 'react'
import { Button } from '../../components/button.js'
import { Failure } from '../../components/failure.js'
import { Moment } from '../../components/moment.js'
import { Card } from '../../components/notice.js'
import { showUnseen } from '../../format/visible.js'
import { useLimits } from '../../hooks/use-settings.js'
import { useLanguage, useWords } from '../../words/index.js'
import { useSettingsWords } from '../../words/settings/index.js'
import { Facts } from './facts.js'
import styles from './settings.module.css'

/** Restrictions of the network, and the budget for people who never wrote. */
export function Limits() {
  const common = useWords()
  const words = useSettingsWords()
  const language = useLanguage()
  const titleId = useId()
  const { data, error, refetch, isFetching } = useLimits()
  return (
    <Card labelledBy={titleId}>
      <h2 id={titleId}>{words.limits}</h2>
      {error === null ? null : <Failure error={error} onRetry={() => void refetch()} />}
      {data === undefined ? (
        error === null ? (
          <p role="status">{common.loading}</p>
        ) : null
      ) : (
        <>
          <p>
            <bdi>{showUnseen(language === 'pt-BR' ? data.message_ptbr : data.message)}</bdi>
          </p>
          <Facts
            facts={[
              [words.newChats, data.can_send_new_messages ? words.allowed : words.heldBack],
              [
                words.quota,
                data.new_chat_message_capping.total_quota === null || data.new_chat_message_capping.total_quota < 0
                  ? words.noLimit
                  : `${data.new_chat_message_capping.used_quota ?? 0} / ${data.new_chat_message_capping.total_quota}`,
              ],
              [
                words.budget,
                data.budget.left === null
                  ? words.noLimit
                  : `${data.budget.used} / ${data.budget.used + data.budget.left}`,
              ],
              [words.parked, data.parked],
              [
                words.nextSend,
                data.nextSendAt === null ? (
                  words.atOnce
                ) : (
                  <Moment key="next" at={data.nextSendAt} language={language} />
                ),
              ],
              [
                words.checked,
                data.checked_at === null ? (
                  words.never
                ) : (
                  <Moment key="checked" at={data.checked_at} language={language} />
                ),
              ],
            ]}
          />
          {data.holds.length === 0 ? null : (
            <ul>
              {data.holds.map(({ kind, until }) => (
                <li key={kind}>
                  {words.holds[kind]} <Moment at={until} language={language} />
                </li>
              ))}
            </ul>
          )}
        </>
      )}
      <div className={styles.actions}>
        <Button isBusy={isFetching} onClick={() => void refetch()}>
          {words.readAgain}
        </Button>
      </div>
    </Card>
  )
}
