import { useNavigate, useSearch } from '@tanstack/react-router'
import { Notice } from '../components/notice.js'
import { PageHeader } from '../components/page-header.js'
import { ContactList } from '../features/contacts/contact-list.js'
import { NewContact } from '../features/contacts/new-contact.js'
import { NumberCheck } from '../features/contacts/number-check.js'
import { readContactSearch } from '../features/contacts/search.js'
import { mayConnect, maySend } from '../hooks/use-instance.js'
import { useThisInstance } from '../hooks/use-this-instance.js'
import { useContactWords } from '../words/contacts/index.js'
import { useWords } from '../words/index.js'

/** Contacts of the account, and which numbers have one. */
export function Contacts() {
  const common = useWords()
  const words = useContactWords()
  const { told } = useThisInstance()
  const search = useSearch({ from: '/instances/$id/contacts' })
  const navigate = useNavigate({ from: '/instances/$id/contacts' })
  const isPaired = told.instance.owner !== ''
  return (
    <>
      <PageHeader title={common.pages.contacts} about={words.help} />
      {isPaired ? (
        <ContactList
          search={search}
          onSearch={(next) => void navigate({ search: readContactSearch({ ...next }), replace: true })}
        />
      ) : (
        <Notice>{words.notPaired}</Notice>
      )}
      {isPaired && mayConnect() ? <NewContact /> : null}
      {isPaired && maySend() ? <NumberCheck /> : null}
    </>
  )
}
