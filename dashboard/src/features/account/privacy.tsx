import { useState } from 'react'
import type { SetPrivacyRequest, ShowPrivacyReply } from '../../../../schemas/generated.js'
import { Problem } from '../../api/problem.js'
import { buildShownCall } from '../../api/shown-call.js'
import { Failure } from '../../components/failure.js'
import { SelectField } from '../../components/field.js'
import layout from '../../components/layout.module.css'
import { showUnseen } from '../../format/visible.js'
import { type Scope, useRead, useWrite } from '../../hooks/use-operation.js'
import { useAccountWords } from '../../words/account/index.js'
import { useWords } from '../../words/index.js'
import { SettingsForm } from '../settings/settings-form.js'

type Category = Exclude<keyof SetPrivacyRequest, 'disappearing'>

const PEOPLE = ['all', 'contacts', 'contact_blacklist', 'none'] as const
/** Values that each category takes, in the order of the page. */
const VALUES: Readonly<Record<Category, readonly string[]>> = {
  last: PEOPLE,
  online: ['all', 'match_last_seen'],
  profile: PEOPLE,
  status: PEOPLE,
  readreceipts: ['all', 'none'],
  groupadd: PEOPLE,
  calladd: ['all', 'known', 'contacts'],
  messages: ['all', 'contacts'],
  stickers: ['contacts', 'contact_allowlist', 'none'],
  linked_profiles: PEOPLE,
  pix: PEOPLE,
  defense: ['off', 'on_standard'],
}
const CATEGORIES = Object.keys(VALUES) as Category[]
const LIFETIMES = [0, 86_400, 604_800, 7_776_000]

/** Privacy settings of the account, as the network keeps them. */
export function Privacy({ scope }: { readonly scope: Scope }) {
  const words = useWords()
  const { data, error, refetch } = useRead(scope, 'showPrivacy', {})
  if (error !== null) return <Failure error={error} onRetry={() => void refetch()} />
  return data === undefined ? <p role="status">{words.loading}</p> : <PrivacyForm scope={scope} stored={data} />
}

function PrivacyForm({ scope, stored }: { readonly scope: Scope; readonly stored: ShowPrivacyReply }) {
  const words = useAccountWords()
  const change = useWrite(scope, 'setPrivacy', ['showPrivacy'])
  const [chosen, setChosen] = useState<Partial<Record<Category, string>>>({})
  const [lifetime, setLifetime] = useState<number | undefined>(undefined)
  const reasons = change.error instanceof Problem ? change.error.fields : {}
  const changed = Object.fromEntries(CATEGORIES.flatMap((one) => findDiffering(one, chosen[one], stored[one])))
  const disappearing = lifetime === undefined || lifetime === stored.disappearing ? {} : { disappearing: lifetime }
  // The fields offer the values of the operation, and what the network had already is not sent.
  const body = { ...changed, ...disappearing } as SetPrivacyRequest
  const save = () => {
    if (Object.keys(body).length === 0) return
    change.mutate(
      { body },
      {
        onSuccess: () => {
          setChosen({})
          setLifetime(undefined)
        },
      },
    )
  }
  return (
    <SettingsForm
      title={words.privacy}
      help={words.privacyHelp}
      change={change}
      call={buildShownCall('setPrivacy', { body })}
      onSave={save}
    >
      <div className={layout.columns}>
        {/* An account may lack some of them. */}
        {CATEGORIES.filter((one) => stored[one] !== undefined).map((one) => (
          <SelectField
            key={one}
            label={words.categories[one]}
            help={one === 'readreceipts' ? words.readReceiptsHelp : undefined}
            wrong={reasons[one]}
            value={chosen[one] ?? stored[one]}
            onChange={({ target }) => setChosen({ ...chosen, [one]: target.value })}
          >
            {mergeStored(VALUES[one], stored[one]).map((value) => (
              <option key={value} value={value}>
                {words.values[value] ?? showUnseen(value)}
              </option>
            ))}
          </SelectField>
        ))}
        <SelectField
          label={words.categories.disappearing}
          wrong={reasons.disappearing}
          value={lifetime ?? stored.disappearing}
          onChange={({ target }) => setLifetime(Number(target.value))}
        >
          {mergeStored(LIFETIMES, stored.disappearing).map((seconds) => (
            <option key={seconds} value={seconds}>
              {words.lifetimes[seconds] ?? seconds}
            </option>
          ))}
        </SelectField>
      </div>
    </SettingsForm>
  )
}

function findDiffering(
  category: Category,
  chosen: string | undefined,
  stored: string | undefined,
): readonly (readonly [Category, string])[] {
  return chosen === undefined || chosen === stored ? [] : [[category, chosen]]
}

/** Adds a value that this release does not know. */
function mergeStored<Value>(values: readonly Value[], stored: Value | undefined): readonly Value[] {
  return stored === undefined || values.includes(stored) ? values : [...values, stored]
}
