import { type FormEvent, useState } from 'react'
import type { Group } from '../../../../schemas/generated.js'
import { buildShownCall } from '../../api/shown-call.js'
import { Button } from '../../components/button.js'
import { Confirm } from '../../components/confirm.js'
import { Copyable } from '../../components/copyable.js'
import { Failure } from '../../components/failure.js'
import { CheckField, InputField, SelectField, TextField } from '../../components/field.js'
import layout from '../../components/layout.module.css'
import { Notice } from '../../components/notice.js'
import { ShowCurl } from '../../components/show-curl.js'
import { showUnseen } from '../../format/visible.js'
import { buildGroupCall, type GroupChange, useChangeGroups } from '../../hooks/use-groups.js'
import { mayConnect } from '../../hooks/use-instance.js'
import { type Scope, useRead, useWrite } from '../../hooks/use-operation.js'
import { useGroupWords } from '../../words/groups/index.js'
import { useWords } from '../../words/index.js'
import { usePictureWords } from '../../words/picture/index.js'
import { PictureForm } from '../portrait/picture-form.js'
import { Portrait } from '../portrait/portrait.js'
import { Members } from './members.js'

const PICTURE_PX = 96

interface GroupDetailsProps {
  readonly scope: Scope
  readonly jid: string
  readonly onLeft: () => void
}

/** One group: its members, requests, invite link and settings. */
export function GroupDetails({ scope, jid, onLeft }: GroupDetailsProps) {
  const words = useWords()
  const group = useGroupWords()
  const change = useChangeGroups(scope)
  const { data, error, refetch } = useRead(scope, 'tellGroup', {
    body: { groupjid: jid, getInviteLink: true, getRequestsParticipants: true },
  })
  if (error !== null) return <Failure error={error} onRetry={() => void refetch()} />
  if (data === undefined) return <p role="status">{words.loading}</p>
  const isAdmin = data.OwnerIsAdmin === true && mayConnect()
  const apply = (next: GroupChange, onDone?: () => void) =>
    change.mutate(
      { groups: [jid], change: next },
      { onSuccess: (results) => (results.every((one) => one.error === null) ? onDone?.() : undefined) },
    )
  const failed = change.data?.find((one) => one.error !== null)?.error ?? change.error
  return (
    <>
      {failed === null || failed === undefined ? null : <Failure error={failed} />}
      {isAdmin ? null : <Notice>{group.readOnly}</Notice>}
      {isAdmin || !data.Topic ? null : (
        <p className={layout.text}>
          <bdi>{showUnseen(data.Topic)}</bdi>
        </p>
      )}
      <Portrait id={scope.id} credential={scope.credential} number={jid} size={PICTURE_PX} />
      <Members scope={scope} group={data} isAdmin={isAdmin} />
      {isAdmin ? (
        <Link
          jid={jid}
          link={data.invite_link ?? ''}
          isBusy={change.isPending}
          onReset={(close) => apply({ kind: 'reset' }, close)}
        />
      ) : null}
      {isAdmin ? (
        <Settings key={data.Name + (data.Topic ?? '')} group={data} isBusy={change.isPending} onChange={apply} />
      ) : null}
      {isAdmin ? <Picture scope={scope} jid={jid} /> : null}
      {mayConnect() ? (
        <Leave
          jid={jid}
          name={showUnseen(data.Name)}
          isBusy={change.isPending}
          onLeave={() => apply({ kind: 'leave' }, onLeft)}
        />
      ) : null}
    </>
  )
}

function Picture({ scope, jid }: Pick<GroupDetailsProps, 'scope' | 'jid'>) {
  const words = usePictureWords()
  const change = useWrite(scope, 'updateGroupImage')
  return (
    <>
      <h3>{words.picture}</h3>
      <PictureForm
        id={scope.id}
        number={jid}
        onChange={(image) => change.mutateAsync({ body: { groupjid: jid, image } })}
        createCall={(image, files) => buildShownCall('updateGroupImage', { body: { groupjid: jid, image }, files })}
      />
    </>
  )
}

interface LinkProps {
  readonly jid: string
  readonly link: string
  readonly isBusy: boolean
  readonly onReset: (close: () => void) => void
}

function Link({ jid, link, isBusy, onReset }: LinkProps) {
  const words = useWords()
  const group = useGroupWords()
  const [isAsked, setAsked] = useState(false)
  return (
    <>
      <h3>{group.link}</h3>
      {link === '' ? null : <Copyable text={link} copy={words.copy} copied={words.copied} />}
      <div>
        <Button onClick={() => setAsked(true)}>{group.reset}</Button>
      </div>
      <Confirm
        isOpen={isAsked}
        onClose={() => setAsked(false)}
        title={group.resetTitle}
        action={group.reset}
        isBusy={isBusy}
        error={null}
        onConfirm={() => onReset(() => setAsked(false))}
        call={buildGroupCall(jid, { kind: 'reset' })}
      >
        <p>{group.resetHelp}</p>
      </Confirm>
    </>
  )
}

interface SettingsProps {
  readonly group: Group
  readonly isBusy: boolean
  readonly onChange: (change: GroupChange) => void
}

const DURATIONS = { 0: 'off', 86400: '1d', 604800: '7d', 7776000: '90d' } as const

function Settings({ group: one, isBusy, onChange }: SettingsProps) {
  const group = useGroupWords()
  const [name, setName] = useState(one.Name)
  const [description, setDescription] = useState(one.Topic ?? '')
  const duration = DURATIONS[(one.DisappearingTimer ?? 0) as keyof typeof DURATIONS] ?? 'off'
  const flags = [
    ['announce', group.announce, one.IsAnnounce === true],
    ['locked', group.locked, one.IsLocked === true],
    ['approval', group.approval, one.IsJoinApprovalRequired === true],
    ['addMode', group.addMode, one.MemberAddMode === 'all_member_add'],
  ] as const
  const submit = (event: FormEvent, change: GroupChange) => {
    event.preventDefault()
    if (!isBusy) onChange(change)
  }
  return (
    <>
      <h3>{group.settings}</h3>
      <form className={layout.form} onSubmit={(event) => submit(event, { kind: 'name', text: name })}>
        <InputField
          label={group.name}
          required
          maxLength={100}
          value={name}
          onChange={({ target }) => setName(target.value)}
        />
        {name === one.Name ? null : (
          <div className={layout.row}>
            <Button type="submit" isBusy={isBusy}>
              {group.save}
            </Button>
            <ShowCurl call={buildGroupCall(one.JID, { kind: 'name', text: name })} />
          </div>
        )}
      </form>
      <form className={layout.form} onSubmit={(event) => submit(event, { kind: 'description', text: description })}>
        <TextField
          label={group.description}
          rows={3}
          maxLength={2_048}
          value={description}
          onChange={({ target }) => setDescription(target.value)}
        />
        {description === (one.Topic ?? '') ? null : (
          <div className={layout.row}>
            <Button type="submit" isBusy={isBusy}>
              {group.save}
            </Button>
            <ShowCurl call={buildGroupCall(one.JID, { kind: 'description', text: description })} />
          </div>
        )}
      </form>
      {flags.map(([kind, label, isOn]) => (
        <CheckField
          key={kind}
          label={label}
          checked={isOn}
          onChange={({ target }) => (isBusy ? undefined : onChange({ kind, isOn: target.checked }))}
        />
      ))}
      <SelectField
        label={group.ephemeral}
        value={duration}
        onChange={({ target }) =>
          onChange({ kind: 'ephemeral', duration: target.value as 'off' | '1d' | '7d' | '90d' })
        }
      >
        <option value="off">{group.never}</option>
        {(['1d', '7d', '90d'] as const).map((value) => (
          <option key={value}>{value}</option>
        ))}
      </SelectField>
    </>
  )
}

interface LeaveProps {
  readonly jid: string
  readonly name: string
  readonly isBusy: boolean
  readonly onLeave: () => void
}

function Leave({ jid, name, isBusy, onLeave }: LeaveProps) {
  const group = useGroupWords()
  const [isAsked, setAsked] = useState(false)
  return (
    <div>
      <Button look="danger" onClick={() => setAsked(true)}>
        {group.leave}
      </Button>
      <Confirm
        isOpen={isAsked}
        onClose={() => setAsked(false)}
        title={group.leaveTitle(name)}
        action={group.leave}
        isBusy={isBusy}
        error={null}
        onConfirm={onLeave}
        call={buildGroupCall(jid, { kind: 'leave' })}
      >
        <p>{group.leaveHelp}</p>
      </Confirm>
    </div>
  )
}
