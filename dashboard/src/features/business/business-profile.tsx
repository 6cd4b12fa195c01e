import { useState } from 'react'
import type { BusinessProfileReply, UpdateBusinessProfileRequest } from '../../../../schemas/generated.js'
import { Problem } from '../../api/problem.js'
import { buildShownCall } from '../../api/shown-call.js'
import { CheckField, InputField, labelLook, TextField } from '../../components/field.js'
import { showUnseen } from '../../format/visible.js'
import { type Scope, useRead, useWrite } from '../../hooks/use-operation.js'
import { useBusinessWords } from '../../words/business.js'
import { SettingsForm } from '../settings/settings-form.js'

type Profile = BusinessProfileReply['response']
type Field = 'description' | 'address' | 'email' | 'websites' | 'categories'

const [DESCRIPTION_MAX, ADDRESS_MAX, EMAIL_MAX, WEBSITES_LENGTH_MAX, CATEGORIES_MAX] = [512, 256, 128, 520, 3]

interface BusinessProfileProps {
  readonly scope: Scope
  readonly profile: Profile
}

/** Edits what customers read of the business. Only what was changed is sent, and WhatsApp may refuse a part of it. */
export function BusinessProfile({ scope, profile }: BusinessProfileProps) {
  const words = useBusinessWords()
  const change = useWrite(scope, 'updateBusinessProfile', ['showBusinessProfile'])
  const form = useForm(profile)
  const { fields, set, body } = form
  const failed = change.data?.failed ?? []
  const wrong = (field: Field) => (change.error instanceof Problem ? change.error.fields[field] : undefined)
  return (
    <SettingsForm
      title={words.profile}
      change={change}
      call={buildShownCall('updateBusinessProfile', { body })}
      words={{
        save: words.save,
        saved: failed.length === 0 ? words.saved : words.refused(describeFields(failed, words)),
      }}
      onSave={() => {
        if (Object.keys(body).length > 0) change.mutate({ body })
      }}
    >
      <TextField
        label={words.description}
        rows={3}
        maxLength={DESCRIPTION_MAX}
        wrong={wrong('description')}
        value={fields.description}
        onChange={({ target }) => set({ description: target.value })}
      />
      <InputField
        label={words.address}
        maxLength={ADDRESS_MAX}
        wrong={wrong('address')}
        value={fields.address}
        onChange={({ target }) => set({ address: target.value })}
      />
      <InputField
        label={words.email}
        type="email"
        maxLength={EMAIL_MAX}
        wrong={wrong('email')}
        value={fields.email}
        onChange={({ target }) => set({ email: target.value })}
      />
      <TextField
        label={words.websites}
        help={words.websitesHelp}
        rows={2}
        maxLength={WEBSITES_LENGTH_MAX}
        wrong={wrong('websites')}
        value={fields.websites}
        onChange={({ target }) => set({ websites: target.value })}
      />
      <Categories scope={scope} chosen={fields.categories} onChange={(categories) => set({ categories })} />
    </SettingsForm>
  )
}

interface Fields {
  readonly description: string
  readonly address: string
  readonly email: string
  /** One on each line. */
  readonly websites: string
  readonly categories: readonly string[]
}

function useForm(profile: Profile) {
  const [changed, setChanged] = useState<Partial<Fields>>({})
  const fields: Fields = {
    description: profile.description,
    address: profile.address,
    email: profile.email,
    websites: profile.websites.join('\n'),
    categories: profile.categories.map(({ id }) => id),
    ...changed,
  }
  return { fields, set: (part: Partial<Fields>) => setChanged({ ...changed, ...part }), body: makeBody(changed) }
}

function makeBody({ websites, categories, ...texts }: Partial<Fields>): UpdateBusinessProfileRequest {
  const lines = websites?.split('\n').map((line) => line.trim())
  return {
    ...texts,
    ...(lines === undefined ? {} : { websites: lines.filter((line) => line !== '') }),
    ...(categories === undefined || categories.length === 0 ? {} : { categories: [...categories] }),
  }
}

interface CategoriesProps {
  readonly scope: Scope
  readonly chosen: readonly string[]
  readonly onChange: (chosen: readonly string[]) => void
}

function Categories({ scope, chosen, onChange }: CategoriesProps) {
  const words = useBusinessWords()
  const { data } = useRead(scope, 'listBusinessCategories', {})
  const all = data?.response ?? []
  if (all.length === 0) return null
  return (
    <fieldset className="grid gap-1">
      <legend className={labelLook}>{words.categories}</legend>
      <p className="text-sm text-muted">{words.categoriesHelp}</p>
      <div className="grid max-h-60 gap-1 overflow-y-auto">
        {all.map(({ id, localized_display_name: name }) => (
          <CheckField
            key={id}
            label={showUnseen(name)}
            checked={chosen.includes(id)}
            disabled={!chosen.includes(id) && chosen.length >= CATEGORIES_MAX}
            onChange={({ target }) => onChange(target.checked ? [...chosen, id] : chosen.filter((one) => one !== id))}
          />
        ))}
      </div>
    </fieldset>
  )
}

function describeFields(fields: readonly string[], words: ReturnType<typeof useBusinessWords>): string {
  const names: Readonly<Record<string, string>> = {
    description: words.description,
    address: words.address,
    email: words.email,
    websites: words.websites,
    categories: words.categories,
  }
  return fields.map((field) => names[field] ?? field).join(', ')
}
