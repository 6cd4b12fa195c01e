import { useId, useState } from 'react'
import type { Group } from '../../../../schemas/generated.js'
import { Button } from '../../components/button.js'
import { Confirm } from '../../components/confirm.js'
import { DataTable } from '../../components/data-table.js'
import { Dialog } from '../../components/dialog.js'
import { Failure } from '../../components/failure.js'
import layout from '../../components/layout.module.css'
import { Card } from '../../components/notice.js'
import { SearchField } from '../../components/search-field.js'
import { showUnseen } from '../../format/visible.js'
import { buildGroupCall, type GroupChange, type GroupResult, useChangeGroups } from '../../hooks/use-groups.js'
import { mayConnect } from '../../hooks/use-instance.js'
import { type Scope, useRead } from '../../hooks/use-operation.js'
import { useInstanceEvents } from '../../hooks/use-this-instance.js'
import { useGroupWords } from '../../words/groups/index.js'
import { useWords } from '../../words/index.js'
import { GroupDetails } from './group-details.js'
import { JoinGroup } from './join-group.js'
import { NewGroup } from './new-group.js'
import type { GroupSearch } from './search.js'

const PAGE = 100

interface GroupListProps {
  readonly scope: Scope
  readonly search: GroupSearch
  readonly onSearch: (change: { readonly name?: string | undefined; readonly group?: string | undefined }) => void
}

/** Groups of the account. Several can be changed at once, with a result in each row. */
export function GroupList({ scope, search: { name = '', group: open }, onSearch }: GroupListProps) {
  const words = useWords()
  const group = useGroupWords()
  const titleId = useId()
  const [page, setPage] = useState(1)
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const setOpen = (one: string | undefined) => onSearch({ group: one })
  const change = useChangeGroups(scope)
  const { data, error, refetch } = useRead(scope, 'findGroups', {
    body: { noParticipants: true, pageSize: PAGE, page, ...(name === '' ? {} : { search: name }) },
  })
  useInstanceEvents((event) => {
    if (event !== 'open' && event.EventType === 'groups') void refetch()
  })
  return (
    <Card labelledBy={titleId}>
      <div className={layout.head}>
        <h2 id={titleId}>{group.groups}</h2>
        {mayConnect() ? (
          <div className={layout.row}>
            <JoinGroup scope={scope} />
            <NewGroup scope={scope} />
          </div>
        ) : null}
      </div>
      <SearchField
        label={group.search}
        value={name}
        onSearch={(next) => {
          setPage(1)
          onSearch({ name: next || undefined })
        }}
      />
      {error === null ? null : <Failure error={error} onRetry={() => void refetch()} />}
      {mayConnect() && data !== undefined && data.groups.length > 0 ? (
        <Bulk
          groups={[...chosen]}
          isBusy={change.isPending}
          onChange={(next, close) => change.mutate({ groups: [...chosen], change: next }, { onSettled: close })}
        />
      ) : null}
      {data === undefined ? (
        error === null ? (
          <p role="status">{words.loading}</p>
        ) : null
      ) : data.groups.length === 0 ? (
        <p>{name === '' ? group.none : group.noneFit}</p>
      ) : (
        <>
          <p role="status">{group.count(data.pagination.totalRecords)}</p>
          <Rows
            titleId={titleId}
            groups={data.groups}
            results={change.data}
            chosen={chosen}
            onChosen={setChosen}
            onOpen={setOpen}
          />
          <div className={layout.row}>
            {data.pagination.hasPreviousPage ? (
              <Button onClick={() => setPage(page - 1)}>{group.previous}</Button>
            ) : null}
            {data.pagination.hasNextPage ? <Button onClick={() => setPage(page + 1)}>{group.next}</Button> : null}
          </div>
        </>
      )}
      <Dialog
        isOpen={open !== undefined}
        onClose={() => setOpen(undefined)}
        title={showUnseen(data?.groups.find(({ JID }) => JID === open)?.Name ?? group.groups)}
      >
        {open === undefined ? null : <GroupDetails scope={scope} jid={open} onLeft={() => setOpen(undefined)} />}
      </Dialog>
    </Card>
  )
}

interface RowsProps {
  readonly titleId: string
  readonly groups: readonly Group[]
  readonly results: readonly GroupResult[] | undefined
  readonly chosen: ReadonlySet<string>
  readonly onChosen: (chosen: ReadonlySet<string>) => void
  readonly onOpen: (jid: string) => void
}

function Rows({ titleId, groups, results, chosen, onChosen, onOpen }: RowsProps) {
  const group = useGroupWords()
  const findResult = (jid: string) => results?.find(({ groupjid }) => groupjid === jid)
  return (
    <DataTable
      labelledBy={titleId}
      heads={[group.name, group.members, group.role, group.settings, group.result, group.open]}
      rows={groups}
      row={(one) => ({
        key: one.JID,
        cells: [
          <GroupName
            key="name"
            group={one}
            isChosen={chosen.has(one.JID)}
            onChoose={(isOn) => {
              const next = new Set(chosen)
              if (isOn) next.add(one.JID)
              else next.delete(one.JID)
              onChosen(next)
            }}
          />,
          one.ParticipantCount ?? one.Participants.length,
          one.OwnerIsAdmin === true ? group.admin : group.member,
          [one.IsAnnounce === true ? group.announce : '', one.IsLocked === true ? group.locked : '']
            .filter(Boolean)
            .join(', '),
          <Result key="result" error={findResult(one.JID)?.error} />,
          <Button key="open" onClick={() => onOpen(one.JID)}>
            {group.open}
          </Button>,
        ],
      })}
    />
  )
}

interface GroupNameProps {
  readonly group: Group
  readonly isChosen: boolean
  readonly onChoose: (isOn: boolean) => void
}

function GroupName({ group: one, isChosen, onChoose }: GroupNameProps) {
  const group = useGroupWords()
  const name = <bdi>{showUnseen(one.Name) || one.JID}</bdi>
  if (!mayConnect()) return name
  return (
    <label>
      <input
        type="checkbox"
        aria-label={group.choose(showUnseen(one.Name))}
        checked={isChosen}
        onChange={({ target }) => onChoose(target.checked)}
      />{' '}
      {name}
    </label>
  )
}

/** @param error Null if it was done, undefined if nothing was tried. */
function Result({ error }: { readonly error: Error | null | undefined }) {
  const group = useGroupWords()
  if (error === undefined) return null
  return (
    <span className={`${layout.tag} ${error === null ? layout.good : layout.bad}`}>
      {error === null ? group.done : showUnseen(error.message)}
    </span>
  )
}

interface BulkProps {
  readonly groups: readonly string[]
  readonly isBusy: boolean
  readonly onChange: (change: GroupChange, close: () => void) => void
}

function Bulk({ groups, isBusy, onChange }: BulkProps) {
  const group = useGroupWords()
  const count = groups.length
  const [asked, setAsked] = useState<readonly [word: string, change: GroupChange] | undefined>(undefined)
  const options: readonly (readonly [string, GroupChange])[] = [
    [group.announce, { kind: 'announce', isOn: true }],
    [group.everybody, { kind: 'announce', isOn: false }],
    [group.leave, { kind: 'leave' }],
  ]
  const close = () => setAsked(undefined)
  return (
    <>
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset is for forms. */}
      <div className={layout.row} role="group" aria-label={group.bulk}>
        <span>{group.bulk}:</span>
        {options.map((option) => (
          <Button key={option[0]} disabled={count === 0} onClick={() => (count === 0 ? undefined : setAsked(option))}>
            {option[0]}
          </Button>
        ))}
        {isBusy ? <span role="status">{group.running}</span> : null}
      </div>
      <Confirm
        isOpen={asked !== undefined}
        onClose={close}
        title={group.bulkTitle(count)}
        action={asked?.[0] ?? ''}
        isBusy={isBusy}
        error={null}
        onConfirm={() => asked !== undefined && onChange(asked[1], close)}
        call={buildGroupCall(groups[0] ?? '', asked?.[1] ?? { kind: 'leave' })}
      >
        <p>{asked?.[1].kind === 'leave' ? group.leaveHelp : asked?.[0]}</p>
      </Confirm>
    </>
  )
}
