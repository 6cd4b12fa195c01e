import { useNavigate, useSearch } from '@tanstack/react-router'
import { Download, Target } from 'lucide-react'
import { useCallback, useId, useState } from 'react'
import type { Chat, FindChatsRequest } from '../../../schemas/generated.js'
import { Button } from '../components/button.js'
import { Choices } from '../components/choices.js'
import { DataTable } from '../components/data-table.js'
import { Dialog } from '../components/dialog.js'
import { EmptyState } from '../components/empty-state.js'
import { Failure } from '../components/failure.js'
import { CheckField } from '../components/field.js'
import layout from '../components/layout.module.css'
import { Card } from '../components/notice.js'
import { PageHeader } from '../components/page-header.js'
import { SearchField } from '../components/search-field.js'
import { Skeleton } from '../components/skeleton.js'
import { describeLead, listNamedFields, readTags } from '../features/lead/lead-fields.js'
import { LeadForm } from '../features/lead/lead-form.js'
import { type Column, chooseOrders, type Place } from '../features/leads/board.js'
import { ChatLink } from '../features/leads/chat-link.js'
import { ConversationBeside } from '../features/leads/conversation-beside.js'
import { LeadBoard } from '../features/leads/lead-board.js'
import board from '../features/leads/lead-board.module.css'
import { formatLeadCsv } from '../features/leads/lead-csv.js'
import { type LeadSearch, readLeadSearch } from '../features/leads/search.js'
import { saveFile } from '../format/save-file.js'
import { showUnseen } from '../format/visible.js'
import { mayConnect } from '../hooks/use-instance.js'
import { useExportLeads, useLeads, useMoveLeads } from '../hooks/use-leads.js'
import { useThisInstance } from '../hooks/use-this-instance.js'
import { useWords } from '../words/index.js'
import { useLeadWords } from '../words/leads/index.js'

/** Rows of the table that are drawn at once. */
const ROWS = 100

/** People who write, with what is known of them: as a table, and as a board by their status. */
export function Leads() {
  const words = useWords()
  const lead = useLeadWords()
  const { id, credential, told } = useThisInstance()
  const search = useSearch({ from: '/instances/$id/leads' })
  const navigate = useNavigate({ from: '/instances/$id/leads' })
  const [edited, setEdited] = useState<Chat | undefined>(undefined)
  const scope = { id, credential }
  const { leads: known, total, error, refetch, patch, ...pages } = useLeads(scope, makeLeadFilter(search))
  const exported = useExportLeads(scope)
  const move = useMoveLeads(scope)
  const onSearch = useCallback(
    (next: Readonly<Record<string, unknown>>, replace: boolean) =>
      void navigate({ search: (before) => readLeadSearch({ ...before, ...next }), replace }),
    [navigate],
  )
  const change = (next: LeadSearch) => void navigate({ search: next, replace: true })
  const leads = known ?? []
  const { fieldsMap } = told.instance

  function place(columns: readonly Column[], chatId: string, to: Place): void {
    const moves = [...chooseOrders(columns, chatId, to)].map(([one, lead_kanbanOrder]) => ({
      id: one,
      lead_kanbanOrder,
      ...(one === chatId ? { lead_status: to.status } : {}),
    }))
    const changes = new Map(moves.map(({ id: one, ...rest }) => [one, rest]))
    patch(
      leads.filter(({ wa_chatid }) => changes.has(wa_chatid)).map((one) => ({ ...one, ...changes.get(one.wa_chatid) })),
    )
    move.mutate(moves)
  }

  function save(): void {
    exported.mutate(makeLeadFilter(search), {
      onSuccess: (all) => saveFile(new Blob([formatLeadCsv(all, lead, fieldsMap)], { type: 'text/csv' }), 'leads.csv'),
    })
  }

  return (
    <>
      <PageHeader title={lead.title} about={words.abouts.leads}>
        <Button icon={Download} disabled={leads.length === 0} isBusy={exported.isPending} onClick={save}>
          {lead.export}
        </Button>
      </PageHeader>
      {exported.isPending ? <p role="status">{lead.exporting(exported.count)}</p> : null}
      {exported.error === null ? null : <Failure error={exported.error} />}
      <Views search={search} onChange={change} />
      <Filters search={search} onChange={change} />
      {error === null ? null : <Failure error={error} onRetry={() => void refetch()} />}
      {move.error === null ? null : <Failure error={move.error} />}
      {known === undefined && error === null ? <Skeleton /> : null}
      {known === undefined ? null : (
        <p role="status">{total > leads.length ? lead.first(leads.length, total) : lead.count(total)}</p>
      )}
      {known !== undefined && leads.length === 0 ? (
        <EmptyState icon={Target} title={Object.keys(makeLeadFilter(search)).length === 0 ? lead.none : lead.noneFit} />
      ) : null}
      {leads.length === 0 ? null : search.view === 'board' ? (
        <div className={board.beside}>
          <LeadBoard leads={leads} mayEdit={mayConnect()} onMove={place} onEdit={setEdited} />
          {search.chat === undefined ? null : (
            <ConversationBeside
              chatId={search.chat}
              known={leads.find(({ wa_chatid }) => wa_chatid === search.chat)}
              search={search}
              onSearch={onSearch}
            />
          )}
        </div>
      ) : (
        <LeadTable id={id} leads={leads} fieldsMap={fieldsMap} onEdit={setEdited} />
      )}
      {pages.hasNextPage ? (
        <div>
          <Button isBusy={pages.isFetchingNextPage} onClick={() => void pages.fetchNextPage()}>
            {lead.more}
          </Button>
        </div>
      ) : null}
      <LeadDialog chat={edited} scope={scope} fieldsMap={fieldsMap} onClose={() => setEdited(undefined)} />
    </>
  )
}

interface LeadDialogProps {
  /** Left out: the dialog is closed. */
  readonly chat: Chat | undefined
  readonly scope: Parameters<typeof LeadForm>[0]['scope']
  readonly fieldsMap: Readonly<Record<string, string>> | undefined
  readonly onClose: () => void
}

function LeadDialog({ chat, onClose, ...rest }: LeadDialogProps) {
  const lead = useLeadWords()
  return (
    <Dialog
      isOpen={chat !== undefined}
      onClose={onClose}
      title={lead.editTitle(chat === undefined ? '' : showUnseen(describeLead(chat)))}
    >
      {chat === undefined ? null : <LeadForm {...rest} chat={chat} onDone={onClose} onCancel={onClose} />}
    </Dialog>
  )
}

interface SearchProps {
  readonly search: LeadSearch
  readonly onChange: (search: LeadSearch) => void
}

function Views({ search, onChange }: SearchProps) {
  const lead = useLeadWords()
  return (
    <Choices
      label={lead.views}
      options={[
        ['table', lead.table],
        ['board', lead.board],
      ]}
      chosen={search.view ?? 'table'}
      onChoose={(view) => {
        const { view: _, ...rest } = search
        onChange(view === 'board' ? { ...rest, view } : rest)
      }}
    />
  )
}

function Filters({ search, onChange }: SearchProps) {
  const lead = useLeadWords()
  const text = (field: 'name' | 'status') => (value: string) => {
    const { [field]: _, ...rest } = search
    onChange(value === '' ? rest : { ...rest, [field]: value })
  }
  return (
    <search className={layout.columns}>
      <SearchField label={lead.search} value={search.name ?? ''} onSearch={text('name')} />
      <SearchField label={lead.status} value={search.status ?? ''} onSearch={text('status')} />
      <CheckField
        label={lead.onlyOpen}
        checked={search.open === true}
        onChange={({ target }) => {
          const { open: _, ...rest } = search
          onChange(target.checked ? { ...rest, open: true } : rest)
        }}
      />
    </search>
  )
}

interface LeadTableProps {
  readonly id: string
  readonly leads: readonly Chat[]
  readonly fieldsMap: Readonly<Record<string, string>> | undefined
  readonly onEdit: (chat: Chat) => void
}

function LeadTable({ id, leads, fieldsMap, onEdit }: LeadTableProps) {
  const lead = useLeadWords()
  const titleId = useId()
  const [first, setFirst] = useState(0)
  const own = listNamedFields(fieldsMap)
  return (
    <Card labelledBy={titleId}>
      <h2 id={titleId}>{lead.table}</h2>
      <DataTable
        labelledBy={titleId}
        heads={[
          lead.name,
          lead.phone,
          lead.status,
          lead.tags,
          lead.ticket,
          lead.email,
          ...own.map(([, name]) => name),
          lead.actions,
        ]}
        rows={leads.slice(first, first + ROWS)}
        row={(chat) => ({
          key: chat.wa_chatid,
          cells: [
            <ChatLink key="name" id={id} chat={chat} />,
            chat.phone,
            <bdi key="status">{showUnseen(chat.lead_status ?? '')}</bdi>,
            <bdi key="tags">{showUnseen(readTags(chat).join(', '))}</bdi>,
            chat.lead_isTicketOpen === true ? '✓' : '',
            <bdi key="email">{showUnseen(chat.lead_email ?? '')}</bdi>,
            ...own.map(([field]) => <bdi key={field}>{showUnseen(String(chat[field as keyof Chat] ?? ''))}</bdi>),
            mayConnect() ? (
              <Button key="edit" onClick={() => onEdit(chat)}>
                {lead.edit}
              </Button>
            ) : null,
          ],
        })}
      />
      <div className={layout.row}>
        {first === 0 ? null : <Button onClick={() => setFirst(first - ROWS)}>{lead.newer}</Button>}
        {first + ROWS < leads.length ? <Button onClick={() => setFirst(first + ROWS)}>{lead.older}</Button> : null}
      </div>
    </Card>
  )
}

function makeLeadFilter({ name, status, open }: LeadSearch): FindChatsRequest {
  return {
    ...(name === undefined ? {} : { name }),
    ...(status === undefined ? {} : { lead_status: status }),
    ...(open === undefined ? {} : { lead_isTicketOpen: true }),
  }
}
