import { type FormEvent, useState } from 'react'
import { Problem } from '../../api/problem.js'
import { buildShownCall } from '../../api/shown-call.js'
import { Button } from '../../components/button.js'
import { Copyable } from '../../components/copyable.js'
import dialog from '../../components/dialog.module.css'
import { Failure } from '../../components/failure.js'
import { CheckField, InputField } from '../../components/field.js'
import { ShowCurl } from '../../components/show-curl.js'
import { type Scope, useWrite } from '../../hooks/use-operation.js'
import { useCallWords } from '../../words/calls.js'

interface CallLinkProps {
  readonly scope: Scope
  readonly onClose: () => void
}

/** Makes a link by which people join a call. */
export function CallLink({ scope, onClose }: CallLinkProps) {
  const words = useCallWords()
  const make = useWrite(scope, 'createCallLink')
  const [video, setVideo] = useState(false)
  const [starts, setStarts] = useState('')
  // The field has the time of the reader's clock.
  const startMs = new Date(starts).getTime()
  const body = {
    ...(video ? { video } : {}),
    ...(starts === '' || Number.isNaN(startMs) ? {} : { startTime: startMs }),
  }
  const link = make.data?.link
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!make.isPending) make.mutate({ body })
  }
  return (
    <form className={dialog.form} onSubmit={submit}>
      <p>{words.linkHelp}</p>
      <CheckField label={words.video} checked={video} onChange={({ target }) => setVideo(target.checked)} />
      <InputField
        label={words.starts}
        help={words.startsHelp}
        type="datetime-local"
        wrong={make.error instanceof Problem ? make.error.fields.startTime : undefined}
        value={starts}
        onChange={({ target }) => setStarts(target.value)}
      />
      <div role="status">
        {link === undefined ? null : <Copyable text={link} copy={words.copy} copied={words.copied} />}
      </div>
      {make.error === null ? null : <Failure error={make.error} />}
      <div className={dialog.actions}>
        <ShowCurl call={buildShownCall('createCallLink', { body })} />
        <Button onClick={onClose}>{words.close}</Button>
        <Button type="submit" look="main" isBusy={make.isPending}>
          {words.makeLink}
        </Button>
      </div>
    </form>
  )
}
