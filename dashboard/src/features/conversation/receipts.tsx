import type { Message } from '../../../../schemas/generated.js'
import { Failure } from '../../components/failure.js'
import layout from '../../components/layout.module.css'
import { formatExactTime } from '../../format/time.js'
import { showUnseen } from '../../format/visible.js'
import { useReceipts } from '../../hooks/use-inbox.js'
import { useInboxWords } from '../../words/inbox.js'
import { useLanguage, useWords } from '../../words/index.js'
import { formatJid } from './names.js'

/** Who of a group has received, read and played an own message. */
export function Receipts({ message }: { readonly message: Message }) {
  const words = useWords()
  const inbox = useInboxWords()
  const { data, error, refetch } = useReceipts(message)
  const language = useLanguage()
  const people = data?.people ?? []
  const groups = [
    [inbox.playedBy, people.filter(({ played }) => played !== ''), 'played'],
    [inbox.readBy, people.filter(({ played, read }) => played === '' && read !== ''), 'read'],
    [inbox.deliveredTo, people.filter(({ played, read }) => played === '' && read === ''), 'delivered'],
  ] as const
  return (
    <>
      {error === null ? null : <Failure error={error} onRetry={() => void refetch()} />}
      {data === undefined && error === null ? <p role="status">{words.loading}</p> : null}
      {data !== undefined && people.length === 0 ? <p>{inbox.nobodyYet}</p> : null}
      {groups.map(([title, some, step]) =>
        some.length === 0 ? null : (
          <section key={title}>
            <h3>{title}</h3>
            <ul className={layout.items}>
              {some.map((one) => (
                <li key={one.jid}>
                  <bdi>{showUnseen(one.name.slice(0, 120)) || formatJid(one.jid)}</bdi>{' '}
                  <span className={layout.muted}>{formatExactTime(new Date(one[step]), language)}</span>
                </li>
              ))}
            </ul>
          </section>
        ),
      )}
    </>
  )
}
