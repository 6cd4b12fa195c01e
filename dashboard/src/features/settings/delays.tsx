import { useState } from 'react'
import type { Instance } from '../../../../schemas/generated.js'
import { buildShownCall } from '../../api/shown-call.js'
import { InputField } from '../../components/field.js'
import { useDelays } from '../../hooks/use-settings.js'
import { useSettingsWords } from '../../words/settings/index.js'
import styles from './settings.module.css'
import { SettingsForm } from './settings-form.js'

/** Pauses between queued sends, and since when the number is in use. */
export function Delays({ instance }: { readonly instance: Instance }) {
  const words = useSettingsWords()
  const change = useDelays()
  const [shortest, setShortest] = useState(String(instance.msg_delay_min ?? 0))
  const [longest, setLongest] = useState(String(instance.msg_delay_max ?? 0))
  const known = (instance.number_in_use_since ?? '').slice(0, 10)
  const [since, setSince] = useState(known)
  const isUnordered = Number(longest) < Number(shortest)
  const body = {
    msg_delay_min: Number(shortest),
    msg_delay_max: Number(longest),
    ...(since === '' || since === known ? {} : { number_in_use_since: `${since}T00:00:00Z` }),
  }
  return (
    <SettingsForm
      title={words.delays}
      help={words.delaysHelp}
      change={change}
      call={buildShownCall('updateDelaySettings', { body })}
      onSave={() => {
        if (!isUnordered) change.mutate(body)
      }}
    >
      <div className={styles.fields}>
        <InputField
          label={words.delayMin}
          type="number"
          min={0}
          step="any"
          required
          value={shortest}
          onChange={({ target }) => setShortest(target.value)}
        />
        <InputField
          label={words.delayMax}
          type="number"
          min={0}
          step="any"
          required
          value={longest}
          wrong={isUnordered ? words.delayUnordered : undefined}
          onChange={({ target }) => setLongest(target.value)}
        />
        <InputField
          label={words.inUseSince}
          help={words.inUseSinceHelp}
          type="date"
          max={new Date().toISOString().slice(0, 10)}
          value={since}
          onChange={({ target }) => setSince(target.value)}
        />
      </div>
    </SettingsForm>
  )
}
