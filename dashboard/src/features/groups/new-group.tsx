import { type FormEvent, useState } from 'react'
import { buildShownCall } from '../../api/shown-call.js'
import { Button } from '../../components/button.js'
import { Dialog } from '../../components/dialog.js'
import dialog from '../../components/dialog.module.css'
import { Failure } from '../../components/failure.js'
import { InputField } from '../../components/field.js'
import { ShowCurl } from '../../components/show-curl.js'
import { type Scope, useWrite } from '../../hooks/use-operation.js'
import { useGroupWords } from '../../words/groups/index.js'
import { useWords } from '../../words/index.js'
import { splitNumbers } from './numbers-in.js'

/** A button, and the dialog in which a group is made. */
export function NewGroup({ scope }: { readonly scope: Scope }) {
  const group = useGroupWords()
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button look="main" onClick={() => setOpen(true)}>
        {group.newGroup}
      </Button>
      <Dialog isOpen={isOpen} onClose={() => setOpen(false)} title={group.newGroup}>
        <NewGroupForm scope={scope} onClose={() => setOpen(false)} />
      </Dialog>
    </>
  )
}

function NewGroupForm({ scope, onClose }: { readonly scope: Scope; readonly onClose: () => void }) {
  const words = useWords()
  const group = useGroupWords()
  const create = useWrite(scope, 'createGroup', ['findGroups'])
  const [name, setName] = useState('')
  const [people, setPeople] = useState('')
  const body = { name: name.trim(), participants: splitNumbers(people) }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!create.isPending && body.name !== '' && body.participants.length > 0)
      create.mutate({ body }, { onSuccess: onClose })
  }
  return (
    <form className={dialog.form} onSubmit={submit}>
      <InputField
        label={group.name}
        required
        pattern=".*\S.*"
        maxLength={100}
        autoComplete="off"
        value={name}
        onChange={({ target }) => setName(target.value)}
      />
      <InputField
        label={group.people}
        help={group.addHelp}
        required
        pattern=".*[^\s,;].*"
        autoComplete="off"
        value={people}
        onChange={({ target }) => setPeople(target.value)}
      />
      {create.error === null ? null : <Failure error={create.error} />}
      <div className={dialog.actions}>
        <ShowCurl call={buildShownCall('createGroup', { body })} />
        <Button onClick={onClose}>{words.cancel}</Button>
        <Button type="submit" look="main" isBusy={create.isPending}>
          {group.create}
        </Button>
      </div>
    </form>
  )
}
