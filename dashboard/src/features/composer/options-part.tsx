import { useMemo } from 'react'
import { CheckField, InputField, SelectField } from '../../components/field.js'
import { readOwnZone } from '../../format/local-time.js'
import { useComposerWords } from '../../words/composer/index.js'
import styles from './composer.module.css'
import type { SendOptions } from './request.js'

interface OptionsPartProps {
  readonly options: SendOptions
  readonly onChange: (options: SendOptions) => void
  readonly wrong: (place: string) => string | undefined
  readonly isGroup: boolean
}

/** Options of a send that every kind has. */
export function OptionsPart({ options, onChange, wrong, isGroup }: OptionsPartProps) {
  const composer = useComposerWords()
  const change = (part: Partial<SendOptions>) => onChange({ ...options, ...part })
  return (
    <details className={styles.more} open={options.sendAt !== '' || undefined}>
      <summary>{composer.options}</summary>
      <div className={styles.columns}>
        <InputField
          label={composer.sendAt}
          help={composer.sendAtHelp}
          wrong={wrong('send_at')}
          type="datetime-local"
          value={options.sendAt}
          onChange={({ target }) => change({ sendAt: target.value })}
        />
        <ZoneField value={options.timezone} wrong={wrong('timezone')} onChange={(timezone) => change({ timezone })} />
        <InputField
          label={composer.delay}
          wrong={wrong('delay')}
          type="number"
          min={0}
          max={86_400}
          step="any"
          value={options.delaySeconds}
          onChange={({ target }) => change({ delaySeconds: target.value })}
        />
        {isGroup ? (
          <InputField
            label={composer.mentions}
            help={composer.mentionsHelp}
            wrong={wrong('mentions')}
            maxLength={20_000}
            value={options.mentions}
            onChange={({ target }) => change({ mentions: target.value })}
          />
        ) : null}
        <InputField
          label={composer.trackId}
          wrong={wrong('track_id')}
          maxLength={500}
          value={options.trackId}
          onChange={({ target }) => change({ trackId: target.value })}
        />
        <CheckField
          label={composer.readChat}
          checked={options.readChat}
          onChange={({ target }) => change({ readChat: target.checked })}
        />
      </div>
    </details>
  )
}

interface ZoneFieldProps {
  readonly value: string
  readonly wrong?: string | undefined
  readonly onChange: (zone: string) => void
}

/** A time zone by its IANA name. */
export function ZoneField({ value, wrong, onChange }: ZoneFieldProps) {
  const composer = useComposerWords()
  const zones = useMemo(
    () => [...new Set([value, readOwnZone(), 'UTC', ...Intl.supportedValuesOf('timeZone')])],
    [value],
  )
  return (
    <SelectField
      label={composer.timezone}
      wrong={wrong}
      value={value}
      onChange={({ target }) => onChange(target.value)}
    >
      {zones.map((zone) => (
        <option key={zone} value={zone}>
          {zone}
        </option>
      ))}
    </SelectField>
  )
}
