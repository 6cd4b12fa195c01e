import { type FormEvent, useState } from 'react'
import type { Message } from '../../../../schemas/generated.js'
import { buildShownCall } from '../../api/shown-call.js'
import { Button } from '../../components/button.js'
import { Dialog } from '../../components/dialog.js'
import dialog from '../../components/dialog.module.css'
import { Failure } from '../../components/failure.js'
import { SelectField } from '../../components/field.js'
import { ShowCurl } from '../../components/show-curl.js'
import type { useChangeMessage } from '../../hooks/use-conversation.js'
import { useWords } from '../../words/index.js'
import { usePinWords } from '../../words/pins.js'

const DAYS = [1, 7, 30] as const
type Days = (typeof DAYS)[number]

interface PinDialogProps {
  readonly message: Message
  readonly change: ReturnType<typeof useChangeMessage>
  readonly onClose: () => void
}

/** Asks for how long a message is pinned. */
export function PinDialog({ message, change, onClose }: PinDialogProps) {
  const words = useWords()
  const pins = usePinWords()
  const [days, setDays] = useState<Days>(7)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!change.isPending) change.mutate({ kind: 'pin', message, days }, { onSuccess: onClose })
  }
  return (
    <Dialog isOpen onClose={onClose} title={pins.title}>
      <form className={dialog.form} onSubmit={submit}>
        <SelectField
          label={pins.howLong}
          value={days}
          onChange={({ target }) => setDays(DAYS.find((one) => String(one) === target.value) ?? 7)}
        >
          {DAYS.map((one) => (
            <option key={one} value={one}>
              {pins.days[one]}
            </option>
          ))}
        </SelectField>
        {change.error === null ? null : <Failure error={change.error} />}
        <div className={dialog.actions}>
          <ShowCurl call={buildShownCall('pinMessage', { body: { id: message.id, pin: true, duration: days } })} />
          <Button onClick={onClose}>{words.cancel}</Button>
          <Button type="submit" look="main" isBusy={change.isPending}>
            {pins.pin}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
