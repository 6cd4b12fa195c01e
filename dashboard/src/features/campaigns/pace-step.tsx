import type { ComponentProps } from 'react'
import { fieldLimits } from '../../api/limits.js'
import { CheckField, InputField } from '../../components/field.js'
import layout from '../../components/layout.module.css'
import { useCampaignWords } from '../../words/campaigns/index.js'
import { ZoneField } from '../composer/options-part.js'
import { DAYS, type Pace } from './pace.js'

type Whole =
  | 'delayMin'
  | 'delayMax'
  | 'dailyCap'
  | 'recentDays'
  | 'frequency'
  | 'frequencyDays'
  | 'weight'
  | 'errorRateMax'

/** Fields that have another name in the API. */
const NAMES: Partial<Record<Whole, string>> = {
  recentDays: 'skipRecentDays',
  frequency: 'frequencyCap.messages',
  frequencyDays: 'frequencyCap.days',
}
const FREQUENCY_MAX = 10
const FREQUENCY_DAYS_MAX = 365

interface PaceStepProps {
  readonly pace: Pace
  readonly change: (part: Partial<Pace>) => void
  readonly wrong: (field: string) => string | undefined
}

type WholeProps = Omit<ComponentProps<typeof InputField>, 'label'>

/** Name, pauses, start and hours of a campaign. */
export function PaceStep({ pace, change, wrong }: PaceStepProps) {
  const words = useCampaignWords()
  const { campaign } = fieldLimits
  const whole = (name: Whole): WholeProps => ({
    type: 'number',
    step: 1,
    value: pace[name],
    wrong: wrong(NAMES[name] ?? name),
    onChange: ({ target }: { readonly target: { readonly value: string } }) => change({ [name]: target.value }),
  })
  return (
    <>
      <div className={layout.columns}>
        <InputField
          label={words.folder}
          wrong={wrong('folder')}
          maxLength={campaign.folder.maxLength}
          value={pace.folder}
          onChange={({ target }) => change({ folder: target.value })}
        />
        <InputField {...whole('delayMin')} label={words.delayMin} required min={0} max={campaign.delayMin.maximum} />
        <InputField {...whole('delayMax')} label={words.delayMax} required min={0} max={campaign.delayMax.maximum} />
        <InputField
          label={words.start}
          help={words.startHelp}
          type="datetime-local"
          wrong={wrong('scheduled_for')}
          value={pace.start}
          onChange={({ target }) => change({ start: target.value })}
        />
        <InputField {...whole('dailyCap')} label={words.dailyCap} min={1} max={campaign.dailyCap.maximum} />
        <InputField {...whole('recentDays')} label={words.recentDays} min={1} max={campaign.skipRecentDays.maximum} />
        <InputField {...whole('frequency')} label={words.frequency} min={1} max={FREQUENCY_MAX} />
        {pace.frequency === '' ? null : (
          <InputField
            {...whole('frequencyDays')}
            label={words.frequencyDays}
            required
            min={1}
            max={FREQUENCY_DAYS_MAX}
          />
        )}
      </div>
      <MorePace whole={whole} />
      <CheckField
        label={words.window}
        checked={pace.hasWindow}
        onChange={({ target }) => change({ hasWindow: target.checked })}
      />
      {pace.hasWindow ? <WindowPart pace={pace} change={change} /> : null}
      {pace.hasWindow || pace.dailyCap !== '' ? (
        <ZoneField value={pace.timezone} wrong={wrong('timezone')} onChange={(timezone) => change({ timezone })} />
      ) : null}
    </>
  )
}

/** The hours and days in which messages leave. */
function WindowPart({ pace, change }: Pick<PaceStepProps, 'pace' | 'change'>) {
  const words = useCampaignWords()
  return (
    <>
      <div className={layout.columns}>
        <InputField
          label={words.from}
          type="time"
          required
          value={pace.from}
          onChange={({ target }) => change({ from: target.value })}
        />
        <InputField
          label={words.to}
          type="time"
          required
          value={pace.to}
          onChange={({ target }) => change({ to: target.value })}
        />
      </div>
      <fieldset className={layout.group}>
        <legend>{words.days}</legend>
        <div className={layout.row}>
          {DAYS.map((day) => (
            <CheckField
              key={day}
              label={words.dayNames[day]}
              checked={pace.days.includes(day)}
              onChange={({ target }) =>
                change({ days: DAYS.filter((one) => (one === day ? target.checked : pace.days.includes(one))) })
              }
            />
          ))}
        </div>
      </fieldset>
    </>
  )
}

function MorePace({ whole }: { readonly whole: (name: Whole) => WholeProps }) {
  const words = useCampaignWords()
  const { campaign } = fieldLimits
  return (
    <details>
      <summary>{words.morePace}</summary>
      <div className={layout.columns}>
        <InputField
          {...whole('errorRateMax')}
          label={words.errorRateMax}
          help={words.errorRateMaxHelp}
          min={campaign.errorRateMax.minimum}
          max={campaign.errorRateMax.maximum}
        />
        <InputField
          {...whole('weight')}
          label={words.weight}
          help={words.weightHelp}
          min={campaign.weight.minimum}
          max={campaign.weight.maximum}
        />
      </div>
    </details>
  )
}
