import { useState } from 'react'
import type { Instance, UpdateFieldsMapRequest } from '../../../../schemas/generated.js'
import { Problem } from '../../api/problem.js'
import { buildShownCall } from '../../api/shown-call.js'
import { InputField } from '../../components/field.js'
import { useFieldNames } from '../../hooks/use-settings.js'
import { useSettingsWords } from '../../words/settings/index.js'
import styles from './settings.module.css'
import { SettingsForm } from './settings-form.js'

const FIELDS = Array.from({ length: 20 }, (_, index) => `lead_field${String(index + 1).padStart(2, '0')}`)

/** Names of the custom lead fields. */
export function FieldNames({ instance }: { readonly instance: Instance }) {
  const words = useSettingsWords()
  const change = useFieldNames()
  const [names, setNames] = useState<Readonly<Record<string, string>>>(instance.fieldsMap ?? {})
  const wrong = change.error instanceof Problem ? change.error.fields : {}
  const body = Object.fromEntries(FIELDS.map((field) => [field, (names[field] ?? '').trim()])) as UpdateFieldsMapRequest
  return (
    <SettingsForm
      title={words.fields}
      help={words.fieldsHelp}
      change={change}
      call={buildShownCall('updateFieldsMap', { body })}
      onSave={() => change.mutate(body)}
    >
      <div className={styles.fields}>
        {FIELDS.map((field, index) => (
          <InputField
            key={field}
            label={words.field(index + 1)}
            maxLength={255}
            autoComplete="off"
            value={names[field] ?? ''}
            wrong={wrong[field]}
            onChange={({ target }) => setNames({ ...names, [field]: target.value })}
          />
        ))}
      </div>
    </SettingsForm>
  )
}
