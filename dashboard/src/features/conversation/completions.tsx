import { type KeyboardEvent, type RefObject, useState } from 'react'
import type { Chat, QuickReply } from '../../../../schemas/generated.js'
import { showUnseen } from '../../format/visible.js'
import type { Mentionable } from '../../hooks/use-inbox.js'
import { useThisInstance } from '../../hooks/use-this-instance.js'
import { useInboxWords } from '../../words/inbox.js'
import { chatPlaceholders, listFittingNames, openPlaceholder } from '../composer/placeholders.js'
import { EVERYONE } from './text-send.js'
import styles from './writing.module.css'

const SHOWN_MAX = 8
const DETAIL_MAX = 90

export interface Completion {
  readonly key: string
  readonly label: string
  readonly detail: string
  /** Returns the text after the choice, where its caret stands, and the quick reply that was chosen. */
  readonly apply: () => { readonly next: string; readonly caret: number; readonly reply?: QuickReply }
}

interface CompletionOptions {
  readonly text: string
  readonly area: RefObject<HTMLTextAreaElement | null>
  readonly quickReplies: readonly QuickReply[]
  readonly people: readonly Mentionable[]
  readonly chat: Chat | undefined
}

/** Offers what completes the text before the caret: `/` quick replies, `@` people of a group, `{{` fields of the person. */
export function useCompletions({ text, quickReplies, people }: CompletionOptions) {
  const inbox = useInboxWords()
  const { told } = useThisInstance()
  const [caret, setCaret] = useState<number | null>(null)
  const [chosen, setChosen] = useState(0)
  const everyone = people.length === 0 ? [] : [{ name: inbox.everyone, number: EVERYONE }]
  const fields = [...chatPlaceholders, ...Object.values(told.instance.fieldsMap ?? {})]
  const found =
    caret === null ? null : findOffers(text, caret, { quickReplies, people: [...everyone, ...people], fields })
  const offered = found?.offered ?? NONE
  const active = Math.min(chosen, offered.length - 1)
  const titles = { replies: inbox.quickReplies, people: inbox.people, fields: inbox.fields }
  return {
    title: found === null ? '' : titles[found.kind],
    offered,
    active,
    onText: (at: number) => {
      setCaret(at)
      setChosen(0)
    },
    onBlur: () => setCaret(null),
    /** Returns true if the key was for the list. */
    onKey: (event: KeyboardEvent, choose: (one: Completion) => void): boolean => {
      if (offered.length === 0) return false
      const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
      const one = offered[active]
      if (step !== undefined) setChosen((active + step + offered.length) % offered.length)
      else if ((event.key === 'Enter' || event.key === 'Tab') && !event.shiftKey && one !== undefined) {
        choose(one)
        setCaret(null)
      } else if (event.key === 'Escape') {
        setCaret(null)
      } else return false
      event.preventDefault()
      return true
    },
  }
}

const NONE: readonly Completion[] = []

interface Sources {
  readonly quickReplies: readonly QuickReply[]
  readonly people: readonly Mentionable[]
  readonly fields: readonly string[]
}

interface Offers {
  readonly kind: 'replies' | 'people' | 'fields'
  readonly offered: readonly Completion[]
}

function findOffers(text: string, caret: number, { quickReplies, people, fields }: Sources): Offers | null {
  const before = text.slice(0, caret)
  const after = text.slice(caret)
  const put = (start: number, part: string) => () => ({
    next: text.slice(0, start) + part + after,
    caret: start + part.length,
  })
  const replies = /^\/(\S{0,60})$/.exec(before)
  if (replies !== null)
    return {
      kind: 'replies',
      offered: listFitting(quickReplies, replies[1] ?? '', ({ shortCut }) => removeSlash(shortCut)).map((reply) => ({
        key: reply.id,
        label: `/${removeSlash(reply.shortCut)}`,
        detail: (reply.text || (reply.docName ?? '')).slice(0, DETAIL_MAX),
        apply: () => ({ next: reply.text + after, caret: reply.text.length, reply }),
      })),
    }
  const field = openPlaceholder(text, caret)
  if (field !== null)
    return {
      kind: 'fields',
      offered: listFittingNames(fields, field.part)
        .slice(0, SHOWN_MAX)
        .map((name) => ({ key: name, label: `{{${name}}}`, detail: '', apply: put(field.start, `{{${name}}}`) })),
    }
  const person = /(?:^|\s)@([^@\n]{0,40})$/.exec(before)
  if (person !== null)
    return {
      kind: 'people',
      offered: listFitting(people, person[1] ?? '', ({ name }) => name).map(({ name, number }) => ({
        key: number,
        label: name,
        detail: number === EVERYONE || name === `+${number}` ? '' : `+${number}`,
        apply: put(caret - (person[1]?.length ?? 0) - 1, `@${name} `),
      })),
    }
  return null
}

/** A shortcut may be stored with the slash that people type before it. */
function removeSlash(shortCut: string): string {
  return shortCut.replace(/^\//, '')
}

/** Returns those that begin with what is written, then those that have it inside. */
function listFitting<One>(all: readonly One[], part: string, getName: (one: One) => string): readonly One[] {
  const wanted = part.toLowerCase()
  const begins = all.filter((one) => getName(one).toLowerCase().startsWith(wanted))
  const has = all.filter((one) => !begins.includes(one) && getName(one).toLowerCase().includes(wanted))
  return [...begins, ...has].slice(0, SHOWN_MAX)
}

interface CompletionsProps {
  readonly id: string
  readonly title: string
  readonly offered: readonly Completion[]
  readonly active: number
  readonly onChoose: (one: Completion) => void
}

export function Completions({ id, title, offered, active, onChoose }: CompletionsProps) {
  if (offered.length === 0) return null
  return (
    <div id={id} role="listbox" aria-label={title} className={styles.completions}>
      {offered.map((one, index) => (
        <div
          key={one.key}
          id={`${id}-${index}`}
          role="option"
          tabIndex={-1}
          aria-selected={index === active}
          // The pointer must not take the focus out of the text.
          onPointerDown={(event) => {
            event.preventDefault()
            onChoose(one)
          }}
        >
          <bdi>{showUnseen(one.label.slice(0, 100))}</bdi>
          {one.detail === '' ? null : <bdi className={styles.detail}>{showUnseen(one.detail)}</bdi>}
        </div>
      ))}
    </div>
  )
}
