import { ArrowDownWideNarrow, Search, SlidersHorizontal } from 'lucide-react'
import { useState } from 'react'
import { showUnseen } from '../../format/visible.js'
import { useLabels } from '../../hooks/use-conversation.js'
import { useThisInstance } from '../../hooks/use-this-instance.js'
import { useTyped } from '../../hooks/use-typed.js'
import { useConversationWords } from '../../words/conversation/index.js'
import { useInboxWords } from '../../words/inbox.js'
import { SavedFilters } from '../saved/saved-filters.js'
import styles from './chat-list.module.css'
import { InboxChoices } from './inbox-choices.js'
import { type ConversationSearch, flags, readConversationSearch } from './search.js'

export type ChangeSearch = (change: Partial<Record<keyof ConversationSearch, unknown>>, replace: boolean) => void

export const NO_FILTERS = {
  search: undefined,
  unread: undefined,
  groups: undefined,
  archived: undefined,
  ticket: undefined,
  label: undefined,
  attendant: undefined,
}

interface ChatFiltersProps {
  readonly search: ConversationSearch
  readonly onSearch: ChangeSearch
}

/** Search, filters and order of the chats. */
export function ChatFilters({ search, onSearch }: ChatFiltersProps) {
  const said = useConversationWords()
  const inbox = useInboxWords()
  const { id } = useThisInstance()
  const [isOpen, setOpen] = useState(search.label !== undefined || search.attendant !== undefined)
  const { chat: _chat, message: _message, text: _text, ...filtered } = search
  return (
    <search className={styles.filters}>
      <div className={styles.searchLine}>
        <TypedField
          label={said.search}
          value={search.search ?? ''}
          onTyped={(typed) => onSearch({ search: typed || undefined }, true)}
        />
        <InboxChoices />
      </div>
      <fieldset className={styles.chips} aria-label={said.filters}>
        {flags.map((flag) => (
          <button
            key={flag}
            type="button"
            className={styles.chip}
            aria-pressed={search[flag] === true}
            onClick={() => onSearch({ [flag]: search[flag] === true ? undefined : true }, false)}
          >
            {said[flag]}
          </button>
        ))}
        <button
          type="button"
          className={styles.chip}
          aria-pressed={search.unreadFirst === true}
          title={inbox.order}
          onClick={() => onSearch({ unreadFirst: search.unreadFirst === true ? undefined : true }, false)}
        >
          <ArrowDownWideNarrow size={14} /> {inbox.unreadFirst}
        </button>
        <button type="button" className={styles.chip} aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          <SlidersHorizontal size={14} /> {inbox.moreFilters}
        </button>
      </fieldset>
      {isOpen ? <MoreFilters search={search} onSearch={onSearch} /> : null}
      <SavedFilters
        key={id}
        page={`chats.${id}`}
        current={filtered}
        onChoose={(saved) => onSearch({ ...NO_FILTERS, ...readConversationSearch(saved) }, false)}
      />
    </search>
  )
}

function MoreFilters({ search, onSearch }: ChatFiltersProps) {
  const said = useConversationWords()
  const { data: labels } = useLabels()
  return (
    <div className={styles.more}>
      {labels === undefined || labels.length === 0 ? null : (
        <select
          aria-label={said.label}
          value={search.label ?? ''}
          onChange={({ target }) => onSearch({ label: target.value || undefined }, false)}
        >
          <option value="">{said.anyLabel}</option>
          {labels.map(({ labelid, name }) => (
            <option key={labelid} value={labelid}>
              {showUnseen(name).slice(0, 60)}
            </option>
          ))}
        </select>
      )}
      <TypedField
        label={said.attendant}
        value={search.attendant ?? ''}
        onTyped={(typed) => onSearch({ attendant: typed || undefined }, true)}
      />
    </div>
  )
}

interface TypedFieldProps {
  readonly label: string
  readonly value: string
  readonly onTyped: (typed: string) => void
  /** True: it takes the focus when it appears. */
  readonly isFocused?: boolean
}

export function TypedField({ label, value, onTyped, isFocused = false }: TypedFieldProps) {
  const [typed, setTyped] = useTyped(value, onTyped)
  return (
    <span className={styles.typed}>
      <Search size={16} aria-hidden="true" />
      <input
        type="search"
        aria-label={label}
        placeholder={label}
        maxLength={100}
        // biome-ignore lint/a11y/noAutofocus: a person has just asked for this field.
        autoFocus={isFocused}
        value={typed}
        onChange={({ target }) => setTyped(target.value)}
      />
    </span>
  )
}
