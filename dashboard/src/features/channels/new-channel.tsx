import { type FormEvent, useState } from 'react'
import { buildShownCall } from '../../api/shown-call.js'
import { Button } from '../../components/button.js'
import { Dialog } from '../../components/dialog.js'
import dialog from '../../components/dialog.module.css'
import { Failure } from '../../components/failure.js'
import { InputField, TextField } from '../../components/field.js'
import { ShowCurl } from '../../components/show-curl.js'
import { showUnseen } from '../../format/visible.js'
import { type Scope, useWrite } from '../../hooks/use-operation.js'
import { useChannelWords } from '../../words/channels/index.js'
import { useWords } from '../../words/index.js'

const [NAME_MAX, DESCRIPTION_MAX, LINK_MAX] = [100, 2_048, 300]

interface NewChannelProps {
  readonly scope: Scope
  /** Opens a channel. */
  readonly onDone: (channel: string) => void
}

/** Buttons that follow a channel by its link, and create one. */
export function NewChannel({ scope, onDone }: NewChannelProps) {
  const words = useChannelWords()
  const [open, setOpen] = useState<'follow' | 'create'>()
  const close = () => setOpen(undefined)
  const done = (channel: string) => {
    close()
    onDone(channel)
  }
  return (
    <>
      <Button onClick={() => setOpen('follow')}>{words.follow}</Button>
      <Button look="main" onClick={() => setOpen('create')}>
        {words.create}
      </Button>
      <Dialog isOpen={open === 'follow'} onClose={close} title={words.follow}>
        <FollowForm scope={scope} onClose={close} onDone={done} />
      </Dialog>
      <Dialog isOpen={open === 'create'} onClose={close} title={words.create}>
        <CreateForm scope={scope} onClose={close} onDone={done} />
      </Dialog>
    </>
  )
}

type FormProps = NewChannelProps & { readonly onClose: () => void }

/** Shows the channel of a link first, since a link does not say where it leads. */
function FollowForm({ scope, onClose, onDone }: FormProps) {
  const words = useWords()
  const channelWords = useChannelWords()
  const look = useWrite(scope, 'findChannel')
  const follow = useWrite(scope, 'followChannel', ['listChannels'])
  const [typed, setTyped] = useState('')
  const key = typed.trim()
  const found = look.data?.response
  const error = follow.error ?? look.error
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (key === '' || look.isPending || follow.isPending) return
    if (found === undefined) look.mutate({ body: { key } })
    else follow.mutate({ body: { id: found.id } }, { onSuccess: () => onDone(found.id) })
  }
  return (
    <form className={dialog.form} onSubmit={submit}>
      <InputField
        label={channelWords.link}
        help={channelWords.linkHelp}
        required
        maxLength={LINK_MAX}
        autoComplete="off"
        value={typed}
        onChange={({ target }) => {
          setTyped(target.value)
          look.reset()
          follow.reset()
        }}
      />
      <div role="status">
        {found === undefined ? null : (
          <>
            <h3>
              <bdi>{showUnseen(found.name) || found.id}</bdi>
            </h3>
            {found.subscribers === null ? null : <p>{channelWords.followers(found.subscribers)}</p>}
          </>
        )}
      </div>
      {error === null ? null : <Failure error={error} />}
      <div className={dialog.actions}>
        <ShowCurl
          call={
            found === undefined
              ? buildShownCall('findChannel', { body: { key } })
              : buildShownCall('followChannel', { body: { id: found.id } })
          }
        />
        <Button onClick={onClose}>{words.cancel}</Button>
        <Button type="submit" look="main" isBusy={look.isPending || follow.isPending}>
          {found === undefined ? channelWords.look : channelWords.followNow}
        </Button>
      </div>
    </form>
  )
}

function CreateForm({ scope, onClose, onDone }: FormProps) {
  const words = useWords()
  const channelWords = useChannelWords()
  const create = useWrite(scope, 'createChannel', ['listChannels'])
  const [name, setName] = useState('')
  const [description, setDescription] = useState('')
  const given = { body: { name: name.trim(), ...(description === '' ? {} : { description }) } }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (name.trim() === '' || create.isPending) return
    create.mutate(given, { onSuccess: ({ response }) => onDone(response.id) })
  }
  return (
    <form className={dialog.form} onSubmit={submit}>
      <p>{channelWords.createHelp}</p>
      <InputField
        label={channelWords.name}
        required
        maxLength={NAME_MAX}
        autoComplete="off"
        value={name}
        onChange={({ target }) => setName(target.value)}
      />
      <TextField
        label={channelWords.description}
        maxLength={DESCRIPTION_MAX}
        rows={3}
        value={description}
        onChange={({ target }) => setDescription(target.value)}
      />
      {create.error === null ? null : <Failure error={create.error} />}
      <div className={dialog.actions}>
        <ShowCurl call={buildShownCall('createChannel', given)} />
        <Button onClick={onClose}>{words.cancel}</Button>
        <Button type="submit" look="main" isBusy={create.isPending}>
          {channelWords.createNow}
        </Button>
      </div>
    </form>
  )
}
