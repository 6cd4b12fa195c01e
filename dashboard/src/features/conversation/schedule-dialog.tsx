import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { Button } from '../../components/button.js'
import { Dialog } from '../../components/dialog.js'
import { Failure } from '../../components/failure.js'
import { InputField } from '../../components/field.js'
import layout from '../../components/layout.module.css'
import { formatLocalTime, readOwnZone } from '../../format/local-time.js'
import { formatExactTime } from '../../format/time.js'
import { showUnseen } from '../../format/visible.js'
import { useSchedule } from '../../hooks/use-inbox.js'
import { useThisInstance } from '../../hooks/use-this-instance.js'
import { useComposerWords } from '../../words/composer/index.js'
import { useInboxWords } from '../../words/inbox.js'
import { useLanguage } from '../../words/index.js'
import { findWrongPlaces } from '../composer/wrong-places.js'
import type { BoxSend } from './text-send.js'

const HOUR_MS = 3_600_000

interface ScheduleDialogProps {
  /** What the box has. */
  readonly send: BoxSend
  readonly onScheduled: () => void
  readonly onClose: () => void
}

/** Sends what the box has at a time. */
export function ScheduleDialog({ send, onScheduled, onClose }: ScheduleDialogProps) {
  const inbox = useInboxWords()
  const composer = useComposerWords()
  const language = useLanguage()
  const { id } = useThisInstance()
  const zone = readOwnZone()
  const [at, setAt] = useState(() => formatLocalTime(new Date(Date.now() + HOUR_MS), zone))
  const schedule = useSchedule()
  const close = () => {
    if (schedule.isSuccess) onScheduled()
    onClose()
  }
  return (
    <Dialog isOpen onClose={close} title={inbox.scheduleTitle}>
      {schedule.isSuccess ? (
        <>
          <p role="status">{inbox.scheduled(formatExactTime(new Date(at), language))}</p>
          <p>
            <Link to="/instances/$id/scheduled" params={{ id }} onClick={close}>
              {inbox.showScheduled}
            </Link>
          </p>
          <div>
            <Button look="main" onClick={close}>
              {inbox.close}
            </Button>
          </div>
        </>
      ) : (
        <form
          className={layout.form}
          onSubmit={(event) => {
            event.preventDefault()
            if (!schedule.isPending) schedule.mutate({ send, at, zone })
          }}
        >
          <p>
            <bdi>{showUnseen(send.shown.text.slice(0, 300))}</bdi>
          </p>
          <InputField
            label={inbox.scheduleAt}
            type="datetime-local"
            required
            min={formatLocalTime(new Date(), zone)}
            wrong={findWrongPlaces(schedule.error, {}).send_at}
            value={at}
            onChange={({ target }) => setAt(target.value)}
          />
          <p className={layout.muted}>
            {composer.timezone}: {zone}
          </p>
          {schedule.error === null ? null : <Failure error={schedule.error} />}
          <div>
            <Button type="submit" look="main" isBusy={schedule.isPending}>
              {inbox.schedule}
            </Button>
          </div>
        </form>
      )}
    </Dialog>
  )
}
