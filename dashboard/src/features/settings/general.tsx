import { useState } from 'react'
import type { Instance, ShowCallSettingsReply } from '../../../../schemas/generated.js'
import { Problem } from '../../api/problem.js'
import { buildShownCall } from '../../api/shown-call.js'
import { Failure } from '../../components/failure.js'
import { CheckField, InputField, TextField } from '../../components/field.js'
import { useAdminNotes, useCalls, useDefaultCountry, useRename, useSetCalls } from '../../hooks/use-settings.js'
import { useSettingsWords } from '../../words/settings/index.js'
import { SettingsForm } from './settings-form.js'

export function Name({ instance }: { readonly instance: Instance }) {
  const words = useSettingsWords()
  const change = useRename()
  const [name, setName] = useState(instance.name)
  return (
    <SettingsForm
      title={words.name}
      change={change}
      call={buildShownCall('updateInstanceName', { body: { name } })}
      onSave={() => change.mutate(name.trim())}
    >
      <InputField
        label={words.nameLabel}
        required
        maxLength={100}
        autoComplete="off"
        value={name}
        wrong={change.error instanceof Problem ? change.error.fields.name : undefined}
        onChange={({ target }) => setName(target.value)}
      />
    </SettingsForm>
  )
}

/** The country whose national numbers are taken. */
export function DefaultCountry({ instance }: { readonly instance: Instance }) {
  const words = useSettingsWords()
  const change = useDefaultCountry()
  const [country, setCountry] = useState(instance.defaultCountry ?? '')
  const body = { defaultCountry: country.trim().toUpperCase() }
  return (
    <SettingsForm
      title={words.country}
      help={words.countryHelp}
      change={change}
      call={buildShownCall('updateDefaultCountry', { body })}
      onSave={() => change.mutate(body)}
    >
      <InputField
        label={words.countryLabel}
        maxLength={2}
        autoComplete="off"
        value={country}
        wrong={change.error instanceof Problem ? change.error.fields.defaultCountry : undefined}
        onChange={({ target }) => setCountry(target.value)}
      />
    </SettingsForm>
  )
}

/** Notes and tags of the administrator. */
export function Notes({ instance }: { readonly instance: Instance }) {
  const words = useSettingsWords()
  const change = useAdminNotes()
  const [first, setFirst] = useState(instance.adminField01 ?? '')
  const [second, setSecond] = useState(instance.adminField02 ?? '')
  const [tags, setTags] = useState((instance.tags ?? []).join(', '))
  const save = () => change.mutate({ adminField01: first, adminField02: second, tags: splitTags(tags) })
  return (
    <SettingsForm title={words.notes} help={words.notesHelp} change={change} onSave={save}>
      <TextField
        label={words.note1}
        rows={2}
        maxLength={1_000}
        value={first}
        onChange={({ target }) => setFirst(target.value)}
      />
      <TextField
        label={words.note2}
        rows={2}
        maxLength={1_000}
        value={second}
        onChange={({ target }) => setSecond(target.value)}
      />
      <InputField
        label={words.tags}
        help={words.tagsHelp}
        autoComplete="off"
        value={tags}
        onChange={({ target }) => setTags(target.value)}
      />
    </SettingsForm>
  )
}

/** Splits what was typed at commas. */
function splitTags(typed: string): string[] {
  return [...new Set(typed.split(',').map((tag) => tag.trim()))].filter((tag) => tag !== '')
}

/** What happens to calls. */
export function Calls() {
  const words = useSettingsWords()
  const { data, error, refetch } = useCalls()
  if (error !== null) return <Failure error={error} onRetry={() => void refetch()} />
  return data === undefined ? <p role="status">{words.reading}</p> : <CallsForm stored={data} />
}

function CallsForm({ stored }: { readonly stored: ShowCallSettingsReply }) {
  const words = useSettingsWords()
  const change = useSetCalls()
  const [settings, setSettings] = useState(stored)
  return (
    <SettingsForm
      title={words.calls}
      change={change}
      call={buildShownCall('setCallSettings', { body: settings })}
      onSave={() => change.mutate(settings)}
    >
      {(['people', 'groups'] as const).map((kind) => (
        <div key={kind}>
          <CheckField
            label={words.reject[kind]}
            checked={settings[kind].reject}
            onChange={({ target }) =>
              setSettings({ ...settings, [kind]: { ...settings[kind], reject: target.checked } })
            }
          />
          <InputField
            label={words.rejectText[kind]}
            help={words.rejectTextHelp}
            maxLength={1_000}
            value={settings[kind].text}
            onChange={({ target }) => setSettings({ ...settings, [kind]: { ...settings[kind], text: target.value } })}
          />
        </div>
      ))}
    </SettingsForm>
  )
}
