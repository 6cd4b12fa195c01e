import { useState } from 'react'
import type { Message } from '../../../../schemas/generated.js'
import { isObject } from '../../api/problem.js'
import { Failure } from '../../components/failure.js'
import { showUnseen } from '../../format/visible.js'
import { useChangeMessage } from '../../hooks/use-conversation.js'
import { maySend } from '../../hooks/use-instance.js'
import { useConversationWords } from '../../words/conversation/index.js'
import { useInboxWords } from '../../words/inbox.js'
import { Formatted } from './formatted.js'
import styles from './message.module.css'

const OPTIONS_MAX = 100

interface Result {
  readonly option: string
  readonly votes: number
}

/** A poll with what it has come to. Who may send votes by a click. */
export function Poll({ message }: { readonly message: Message }) {
  const said = useConversationWords()
  const inbox = useInboxWords()
  const change = useChangeMessage()
  const [chosen, setChosen] = useState<readonly string[]>([])
  const { text = '', vote = '', quoted = '', convertOptions = '', content } = message
  const results = readResults(vote)
  // A vote is a message of its own that names the poll.
  if (quoted !== '' && convertOptions === '' && results === null)
    return <p className={styles.notice}>{vote === '' ? said.kinds.poll : said.voted(showUnseen(vote))}</p>
  const options = results ?? convertOptions.split('|').map((option) => ({ option, votes: 0 }))
  const most = Math.max(1, ...options.map(({ votes }) => votes))
  const isSingle = isObject(content) && content.selectableOptionsCount === 1
  const choose = (option: string, isOn: boolean) => {
    const next = isSingle ? (isOn ? [option] : []) : isOn ? [...chosen, option] : chosen.filter((one) => one !== option)
    setChosen(next)
    change.mutate({ kind: 'vote', message, options: next })
  }
  return (
    <>
      <Formatted text={text} />
      {maySend() ? <p className={styles.kind}>{isSingle ? inbox.chooseOne : inbox.chooseSome}</p> : null}
      <ul className={styles.poll}>
        {options.slice(0, OPTIONS_MAX).map(({ option, votes }, place) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: two options may have the same text.
          <li key={place}>
            <Option
              option={option}
              votes={votes}
              isChosen={chosen.includes(option)}
              onChoose={maySend() ? (isOn) => choose(option, isOn) : undefined}
            />
            <div className={styles.bar} aria-hidden="true">
              <div style={{ width: `${(100 * votes) / most}%` }} />
            </div>
          </li>
        ))}
      </ul>
      {change.isSuccess ? (
        <p role="status" className={styles.kind}>
          {inbox.voteSent}
        </p>
      ) : null}
      {change.error === null ? null : <Failure error={change.error} />}
    </>
  )
}

interface OptionProps extends Result {
  readonly isChosen: boolean
  /** Left out: the token may not vote. */
  readonly onChoose: ((isOn: boolean) => void) | undefined
}

function Option({ option, votes, isChosen, onChoose }: OptionProps) {
  const said = useConversationWords()
  const shown = (
    <>
      <bdi>{showUnseen(option.slice(0, 1_000))}</bdi> <span>{said.votes(votes)}</span>
    </>
  )
  if (onChoose === undefined) return <p className={styles.option}>{shown}</p>
  return (
    <label className={styles.option}>
      <input type="checkbox" checked={isChosen} onChange={({ target }) => onChoose(target.checked)} /> {shown}
    </label>
  )
}

function readResults(vote: string): readonly Result[] | null {
  if (!vote.startsWith('[')) return null
  try {
    const read: unknown = JSON.parse(vote)
    return Array.isArray(read)
      ? read.filter(isObject).map(({ option, votes }) => ({ option: String(option), votes: Number(votes) || 0 }))
      : null
  } catch {
    return null
  }
}
