import { Link } from '@tanstack/react-router'
import { useId, useState } from 'react'
import type { Contact } from '../../../../schemas/generated.js'
import { buildShownCall } from '../../api/shown-call.js'
import { Button } from '../../components/button.js'
import { Choices } from '../../components/choices.js'
import { Confirm } from '../../components/confirm.js'
import { DataTable } from '../../components/data-table.js'
import { Failure } from '../../components/failure.js'
import layout from '../../components/layout.module.css'
import { Card, Notice } from '../../components/notice.js'
import { SearchField } from '../../components/search-field.js'
import { showUnseen } from '../../format/visible.js'
import { useContacts, useRemoveContact } from '../../hooks/use-contacts.js'
import { mayConnect } from '../../hooks/use-instance.js'
import { useThisInstance } from '../../hooks/use-this-instance.js'
import { useContactWords } from '../../words/contacts/index.js'
import { useNumbers, useWords } from '../../words/index.js'
import { type ContactSearch, contactScopes } from './search.js'

interface ContactListProps {
  readonly search: ContactSearch
  readonly onSearch: (search: ContactSearch) => void
}

/** Contacts of the account, those of its address book or the others. */
export function ContactList({ search, onSearch }: ContactListProps) {
  const { scope = 'all', text = '' } = search
  const common = useWords()
  const words = useContactWords()
  const number = useNumbers()
  const titleId = useId()
  const { data, error, refetch, hasNextPage, isFetchingNextPage, fetchNextPage } = useContacts(scope, text)
  const [removed, setRemoved] = useState<Contact>()
  const contacts = data?.pages.flatMap((page) => page.contacts)
  const pagination = data?.pages[0]?.pagination
  return (
    <Card labelledBy={titleId}>
      <h2 id={titleId}>{words.title}</h2>
      <Choices
        label={words.scope}
        options={contactScopes.map((one) => [one, words.scopes[one]] as const)}
        chosen={scope}
        onChoose={(next) => onSearch({ ...search, scope: next })}
      />
      <SearchField label={words.search} value={text} onSearch={(next) => onSearch({ ...search, text: next })} />
      {error === null ? null : <Failure error={error} onRetry={() => void refetch()} />}
      {contacts === undefined && error === null ? <p role="status">{common.loading}</p> : null}
      {pagination === undefined ? null : (
        <p className={layout.muted}>
          {words.count(number(pagination.totalRecords), number(pagination.totalDeviceContacts))}
        </p>
      )}
      {contacts?.length === 0 ? (
        <Notice>
          {text !== '' ? (
            words.noneFound(showUnseen(text))
          ) : scope === 'all' ? (
            <>
              <p>{words.none}</p>
              <p>{words.noneHelp}</p>
            </>
          ) : (
            words.noneFit
          )}
        </Notice>
      ) : null}
      {contacts === undefined || contacts.length === 0 ? null : (
        <DataTable
          labelledBy={titleId}
          heads={[words.name, words.calledBySelf, words.number, words.actions]}
          rows={contacts}
          row={(contact) => ({
            key: contact.jid,
            cells: [
              <bdi key="name">{showUnseen(describeContact(contact))}</bdi>,
              <bdi key="self">{showUnseen(contact.contact_name ? (contact.push_name ?? '') : '')}</bdi>,
              <bdi key="number">{formatNumber(contact)}</bdi>,
              <Actions key="actions" contact={contact} onRemove={() => setRemoved(contact)} />,
            ],
          })}
        />
      )}
      {hasNextPage ? (
        <div>
          <Button isBusy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
            {words.more}
          </Button>
        </div>
      ) : null}
      {removed === undefined ? null : <Removal contact={removed} onClose={() => setRemoved(undefined)} />}
    </Card>
  )
}

function Actions({ contact, onRemove }: { readonly contact: Contact; readonly onRemove: () => void }) {
  const words = useContactWords()
  const { id } = useThisInstance()
  const name = showUnseen(describeContact(contact))
  return (
    <div className={layout.row}>
      <Link to="/instances/$id/chats" params={{ id }} search={{ chat: contact.jid }} aria-label={words.writeTo(name)}>
        {words.write}
      </Link>
      {mayConnect() && (contact.contact_name ?? '') !== '' ? (
        <Button look="danger" aria-label={words.removeOf(name)} onClick={onRemove}>
          {words.remove}
        </Button>
      ) : null}
    </div>
  )
}

function Removal({ contact, onClose }: { readonly contact: Contact; readonly onClose: () => void }) {
  const words = useContactWords()
  const remove = useRemoveContact()
  return (
    <Confirm
      isOpen
      onClose={onClose}
      title={words.removeTitle(showUnseen(describeContact(contact)))}
      action={words.remove}
      isBusy={remove.isPending}
      error={remove.error}
      onConfirm={() => remove.mutate(contact.jid, { onSuccess: onClose })}
      call={buildShownCall('removeContact', { body: { number: contact.jid } })}
    >
      <p>{words.removeHelp}</p>
    </Confirm>
  )
}

/** Returns the name of the address book, else that which the person uses, else the number. */
function describeContact(contact: Contact): string {
  return contact.contact_name || contact.push_name || formatNumber(contact)
}

/** Returns the number with `+`; the JID of a person whose number is not known. */
function formatNumber({ jid }: Contact): string {
  return jid.replace(/^(\d+)@s\.whatsapp\.net$/, '+$1')
}
