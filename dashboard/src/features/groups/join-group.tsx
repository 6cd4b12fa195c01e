import { type FormEvent, useState } from 'react'
import type { Group } from '../../../../schemas/generated.js'
import { Problem } from '../../api/problem.js'
import { buildShownCall } from '../../api/shown-call.js'
import { Button } from '../../components/button.js'
import { Dialog } from '../../components/dialog.js'
import dialog from '../../components/dialog.module.css'
import { Failure } from '../../components/failure.js'
import { InputField } from '../../components/field.js'
import layout from '../../components/layout.module.css'
import { Notice } from '../../components/notice.js'
import { ShowCurl } from '../../components/show-curl.js'
import { showUnseen } from '../../format/visible.js'
import { type Scope, useWrite } from '../../hooks/use-operation.js'
import { useGroupWords } from '../../words/groups/index.js'
import { useWords } from '../../words/index.js'
import { formatJid } from '../conversation/names.js'
import { findWrong } from '../records/field-spec.js'

const LINK_MAX = 300

/** A button, and the dialog in which the account joins a group by its link. */
export function JoinGroup({ scope }: { readonly scope: Scope }) {
  const group = useGroupWords()
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button onClick={() => setOpen(true)}>{group.join}</Button>
      <Dialog isOpen={isOpen} onClose={() => setOpen(false)} title={group.join}>
        <JoinForm scope={scope} onClose={() => setOpen(false)} />
      </Dialog>
    </>
  )
}

/** Shows the group of a link first, since a link does not say where it leads. */
function JoinForm({ scope, onClose }: { readonly scope: Scope; readonly onClose: () => void }) {
  const words = useWords()
  const group = useGroupWords()
  const look = useWrite(scope, 'tellInvitation')
  const join = useWrite(scope, 'joinGroup', ['findGroups'])
  const [typed, setTyped] = useState('')
  const link = typed.trim()
  const error = join.error ?? look.error
  const wrong = error instanceof Problem ? findWrongLink(error) : undefined
  const found = look.data
  const isAsked = join.data?.needs_refresh === true
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (look.isPending || join.isPending || isAsked || link === '') return
    if (found === undefined) look.mutate({ body: { invitecode: link } })
    else
      join.mutate(
        { body: { inviteCode: link } },
        { onSuccess: ({ needs_refresh: isWaiting }) => (isWaiting === true ? undefined : onClose()) },
      )
  }
  return (
    <form className={dialog.form} onSubmit={submit}>
      <InputField
        label={group.joinLink}
        help={group.joinHelp}
        wrong={wrong}
        required
        pattern=".*\S.*"
        maxLength={LINK_MAX}
        autoComplete="off"
        value={typed}
        onChange={({ target }) => {
          setTyped(target.value)
          look.reset()
          join.reset()
        }}
      />
      <div role="status">{found === undefined ? null : <Found group={found} />}</div>
      {isAsked ? <Notice look="busy">{group.mustApprove}</Notice> : null}
      {error === null || wrong !== undefined ? null : <Failure error={error} />}
      <div className={dialog.actions}>
        <ShowCurl
          call={
            found === undefined
              ? buildShownCall('tellInvitation', { body: { invitecode: link } })
              : buildShownCall('joinGroup', { body: { inviteCode: link } })
          }
        />
        <Button onClick={onClose}>{isAsked ? words.close : words.cancel}</Button>
        {isAsked ? null : (
          <Button type="submit" look="main" isBusy={look.isPending || join.isPending}>
            {found === undefined ? group.look : group.joinNow}
          </Button>
        )}
      </div>
    </form>
  )
}

/** Returns why the link does not fit; undefined if something else is wrong. */
function findWrongLink({ code, message, fields }: Problem): string | undefined {
  return code === 'INVALID_INVITE' ? message : (findWrong(fields, 'invitecode') ?? findWrong(fields, 'inviteCode'))
}

function Found({ group: one }: { readonly group: Group }) {
  const group = useGroupWords()
  const { Name: name, Topic: topic = '', JID: jid } = one
  const members = one.ParticipantCount ?? one.Participants.length
  return (
    <>
      <h3>
        <bdi>{showUnseen(name) || formatJid(jid)}</bdi>
      </h3>
      <p>{group.memberCount(members)}</p>
      {topic === '' ? null : (
        <p className={layout.text}>
          <bdi>{showUnseen(topic)}</bdi>
        </p>
      )}
    </>
  )
}
