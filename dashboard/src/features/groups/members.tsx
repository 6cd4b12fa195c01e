import { type FormEvent, useId, useState } from 'react'
import type { Group, UpdateParticipantsRequest } from '../../../../schemas/generated.js'
import { buildShownCall } from '../../api/shown-call.js'
import { Button } from '../../components/button.js'
import { Confirm } from '../../components/confirm.js'
import { DataTable } from '../../components/data-table.js'
import { Failure } from '../../components/failure.js'
import { InputField } from '../../components/field.js'
import layout from '../../components/layout.module.css'
import { ShowCurl } from '../../components/show-curl.js'
import { useChatNames } from '../../hooks/use-chat-names.js'
import { type Scope, useWrite } from '../../hooks/use-operation.js'
import { useGroupWords } from '../../words/groups/index.js'
import { formatJid } from '../conversation/names.js'
import { splitNumbers } from './numbers-in.js'

type Action = UpdateParticipantsRequest['action']

interface MembersProps {
  readonly scope: Scope
  readonly group: Group
  readonly isAdmin: boolean
}

/** Members with their roles, and those who ask to join. Several can be changed at once, with a result in each row. */
export function Members({ scope, group: one, isAdmin }: MembersProps) {
  const group = useGroupWords()
  const titleId = useId()
  const update = useWrite(scope, 'updateParticipants', ['tellGroup', 'findGroups'])
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const [isRemoving, setRemoving] = useState(false)
  const run = (action: Action, participants: readonly string[], onDone?: () => void) =>
    update.mutate(
      { body: { groupjid: one.JID, action, participants: [...participants] } },
      {
        onSuccess: () => {
          setChosen(new Set())
          onDone?.()
        },
      },
    )
  const results = update.data?.groupUpdated ?? []
  const ifSome = (action: Action) => () => (chosen.size === 0 ? undefined : run(action, [...chosen]))
  return (
    <>
      <h3 id={titleId}>
        {group.people} ({one.ParticipantCount ?? one.Participants.length})
      </h3>
      {update.error === null ? null : <Failure error={update.error} />}
      {results.some(({ Error: code }) => code !== 0) ? (
        <ul className={layout.items} role="alert">
          {results
            .filter(({ Error: code }) => code !== 0)
            .map(({ JID, Error: code }) => (
              <li key={JID}>
                <bdi>{formatJid(JID)}</bdi>: {group.refused(code)}
              </li>
            ))}
        </ul>
      ) : null}
      {isAdmin ? (
        <div className={layout.row}>
          <Button disabled={chosen.size === 0} onClick={ifSome('promote')}>
            {group.promote}
          </Button>
          <Button disabled={chosen.size === 0} onClick={ifSome('demote')}>
            {group.demote}
          </Button>
          <Button look="danger" disabled={chosen.size === 0} onClick={() => setRemoving(chosen.size > 0)}>
            {group.remove}
          </Button>
        </div>
      ) : null}
      <MemberTable titleId={titleId} group={one} isAdmin={isAdmin} chosen={chosen} onChosen={setChosen} />
      {isAdmin ? (
        <AddPeople groupjid={one.JID} isBusy={update.isPending} onAdd={(numbers, done) => run('add', numbers, done)} />
      ) : null}
      {isAdmin ? <Requests group={one} onAnswer={(action, jid) => run(action, [jid])} /> : null}
      <Confirm
        isOpen={isRemoving}
        onClose={() => setRemoving(false)}
        title={group.removeTitle(chosen.size)}
        action={group.remove}
        isBusy={update.isPending}
        error={update.error}
        onConfirm={() => run('remove', [...chosen], () => setRemoving(false))}
        call={buildShownCall('updateParticipants', {
          body: { groupjid: one.JID, action: 'remove', participants: [...chosen] },
        })}
      >
        <p>
          {one.Participants.filter(({ JID }) => chosen.has(JID))
            .map(({ JID, PhoneNumber = '' }) => formatJid(PhoneNumber || JID))
            .join(', ')}
        </p>
      </Confirm>
    </>
  )
}

interface MemberTableProps extends Pick<MembersProps, 'group' | 'isAdmin'> {
  readonly titleId: string
  readonly chosen: ReadonlySet<string>
  readonly onChosen: (chosen: ReadonlySet<string>) => void
}

function MemberTable({ titleId, group: one, isAdmin, chosen, onChosen }: MemberTableProps) {
  const group = useGroupWords()
  return (
    <DataTable
      labelledBy={titleId}
      heads={[group.name, group.role]}
      rows={one.Participants}
      row={({ JID, PhoneNumber = '', IsAdmin, IsSuperAdmin }) => ({
        key: JID,
        cells: [
          isAdmin ? (
            <label key="choose">
              <input
                type="checkbox"
                aria-label={group.choose(formatJid(PhoneNumber || JID))}
                checked={chosen.has(JID)}
                onChange={({ target }) => {
                  const next = new Set(chosen)
                  if (target.checked) next.add(JID)
                  else next.delete(JID)
                  onChosen(next)
                }}
              />{' '}
              <bdi>{formatJid(PhoneNumber || JID)}</bdi>
            </label>
          ) : (
            <bdi key="name">{formatJid(PhoneNumber || JID)}</bdi>
          ),
          IsSuperAdmin === true ? group.owner : IsAdmin ? group.admin : group.member,
        ],
      })}
    />
  )
}

interface AddPeopleProps {
  readonly groupjid: string
  readonly isBusy: boolean
  readonly onAdd: (numbers: readonly string[], onDone: () => void) => void
}

function AddPeople({ groupjid, isBusy, onAdd }: AddPeopleProps) {
  const group = useGroupWords()
  const [people, setPeople] = useState('')
  const numbers = splitNumbers(people)
  const add = (event: FormEvent) => {
    event.preventDefault()
    if (numbers.length > 0 && !isBusy) onAdd(numbers, () => setPeople(''))
  }
  return (
    <form className={layout.form} onSubmit={add}>
      <InputField
        label={group.add}
        help={group.addHelp}
        value={people}
        autoComplete="off"
        onChange={({ target }) => setPeople(target.value)}
      />
      <div className={layout.row}>
        <Button type="submit" isBusy={isBusy}>
          {group.add}
        </Button>
        <ShowCurl
          call={buildShownCall('updateParticipants', { body: { groupjid, action: 'add', participants: numbers } })}
        />
      </div>
    </form>
  )
}

interface RequestsProps extends Pick<MembersProps, 'group'> {
  readonly onAnswer: (action: 'approve' | 'reject', jid: string) => void
}

function Requests({ group: one, onAnswer }: RequestsProps) {
  const group = useGroupWords()
  const requestsId = useId()
  const requests = (one.request_participants ?? '').split(',').filter((jid) => jid !== '')
  const name = useChatNames(requests)
  return (
    <>
      <h3 id={requestsId}>{group.requests}</h3>
      {requests.length === 0 ? (
        <p>{group.noRequests}</p>
      ) : (
        <ul className={layout.items} aria-labelledby={requestsId}>
          {requests.map((jid) => (
            <li key={jid} className={layout.row}>
              <bdi title={jid}>{name(jid)}</bdi>
              <Button onClick={() => onAnswer('approve', jid)}>{group.approve}</Button>
              <Button onClick={() => onAnswer('reject', jid)}>{group.reject}</Button>
            </li>
          ))}
        </ul>
      )}
    </>
  )
}
