import { type FormEvent, useState } from 'react'
import { Problem } from '../../api/problem.js'
import { buildShownCall } from '../../api/shown-call.js'
import { Button } from '../../components/button.js'
import dialog from '../../components/dialog.module.css'
import { Failure } from '../../components/failure.js'
import { CheckField, InputField } from '../../components/field.js'
import { ShowCurl } from '../../components/show-curl.js'
import { mayManageChats } from '../../hooks/rights.js'
import { type Scope, useWrite } from '../../hooks/use-operation.js'
import { useCallWords } from '../../words/calls.js'

const [NUMBER_MAX, SECONDS, SECONDS_MAX] = [100, 30, 60]

interface RingFormProps {
  readonly scope: Scope
  readonly onClose: () => void
  /** Number to ring, if it is known. */
  readonly number?: string
}

/** Rings a person, and hangs up again. */
export function RingForm({ scope, onClose, number: given = '' }: RingFormProps) {
  const words = useCallWords()
  const ring = useWrite(scope, 'makeCall')
  const end = useWrite(scope, 'rejectCall')
  const [number, setNumber] = useState(given)
  const [seconds, setSeconds] = useState(String(SECONDS))
  const [video, setVideo] = useState(false)
  const body = { number: number.trim(), call_duration: Number(seconds), ...(video ? { video } : {}) }
  const id = ring.data?.id
  const error = ring.error ?? end.error
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!ring.isPending && id === undefined) ring.mutate({ body })
  }
  return (
    <form className={dialog.form} onSubmit={submit}>
      <p>{words.ringHelp}</p>
      <InputField
        label={words.number}
        help={words.numberHelp}
        required
        inputMode="tel"
        maxLength={NUMBER_MAX}
        readOnly={given !== ''}
        wrong={ring.error instanceof Problem ? ring.error.fields.number : undefined}
        value={number}
        onChange={({ target }) => setNumber(target.value)}
      />
      <InputField
        label={words.seconds}
        type="number"
        required
        min={1}
        max={SECONDS_MAX}
        value={seconds}
        onChange={({ target }) => setSeconds(target.value)}
      />
      <CheckField label={words.video} checked={video} onChange={({ target }) => setVideo(target.checked)} />
      <p role="status">{end.isSuccess ? words.hungUp : id === undefined ? '' : words.ringing}</p>
      {error === null ? null : <Failure error={error} />}
      <div className={dialog.actions}>
        <ShowCurl call={buildShownCall('makeCall', { body })} />
        <Button onClick={onClose}>{words.close}</Button>
        {id === undefined ? (
          <Button type="submit" look="main" isBusy={ring.isPending}>
            {words.ringNow}
          </Button>
        ) : mayManageChats() && !end.isSuccess ? (
          <Button look="danger" isBusy={end.isPending} onClick={() => end.mutate({ body: { id } })}>
            {words.hangUp}
          </Button>
        ) : null}
      </div>
    </form>
  )
}
