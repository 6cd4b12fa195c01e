import { useId } from 'react'
import type { ImportCampaignReply } from '../../../../schemas/generated.js'
import { buildShownCall } from '../../api/shown-call.js'
import { Button } from '../../components/button.js'
import { CallLines } from '../../components/call-lines.js'
import { DataTable } from '../../components/data-table.js'
import { Failure } from '../../components/failure.js'
import { CheckField } from '../../components/field.js'
import layout from '../../components/layout.module.css'
import { Notice } from '../../components/notice.js'
import { formatDuration } from '../../format/duration.js'
import { saveFile } from '../../format/save-file.js'
import { showUnseen } from '../../format/visible.js'
import type { ImportCall, useImport } from '../../hooks/use-campaigns.js'
import { useCampaignWords } from '../../words/campaigns/index.js'
import { useLanguage } from '../../words/index.js'
import { Outlook } from './outlook.js'

interface CheckStepProps {
  readonly call: ImportCall
  readonly list: Blob
  readonly listName: string
  readonly dryRun: ReturnType<typeof useImport>
  readonly start: ReturnType<typeof useImport>
  /** True if the answer of the check is for what is filled in now. */
  readonly isChecked: boolean
  readonly lasts: (count: number) => number
  readonly onCheck: () => void
  /** Messages are also sent to people for whom a placeholder has no value. */
  readonly allowEmpty: boolean
  readonly onAllowEmpty: (allowEmpty: boolean) => void
}

/** Says what the campaign would do, by a call that sends nothing, and shows the call that starts it. */
export function CheckStep(props: CheckStepProps) {
  const { call, list, listName, dryRun, start, isChecked, lasts, onCheck, allowEmpty, onAllowEmpty } = props
  const words = useCampaignWords()
  return (
    <>
      <p>{words.checkFirst}</p>
      <CheckField
        label={words.allowEmpty}
        help={words.allowEmptyHelp}
        checked={allowEmpty}
        onChange={({ target }) => onAllowEmpty(target.checked)}
      />
      <div className={layout.row}>
        <Button isBusy={dryRun.isPending} onClick={onCheck}>
          {words.check}
        </Button>
      </div>
      {dryRun.error === null ? null : <Failure error={dryRun.error} />}
      {start.error === null ? null : <Failure error={start.error} />}
      {dryRun.data !== undefined && isChecked ? <Summary told={dryRun.data} lasts={lasts} /> : null}
      <details>
        <summary>{words.asCurl}</summary>
        <div className={layout.form}>
          <CallLines call={buildShownCall('importCampaign', call)} />
          <div>
            <Button onClick={() => saveFile(list, listName)}>{words.downloadList}</Button>
          </div>
        </div>
      </details>
    </>
  )
}

function Summary({ told, lasts }: { readonly told: ImportCampaignReply; readonly lasts: (count: number) => number }) {
  const words = useCampaignWords()
  const language = useLanguage()
  const firstId = useId()
  const wrongId = useId()
  const { count, duplicates, optedOut, recent, invalid, messages, errors, placeholders } = told
  return (
    <>
      <Notice look={count === 0 ? 'bad' : 'plain'}>
        <p>{words.checked(count)}</p>
        <p>{words.leftOut(duplicates, optedOut, recent, invalid)}</p>
        {placeholders.map(({ name, problem, recipients }) => (
          <p key={`${name} ${problem}`}>
            <bdi>{words.lacks(showUnseen(name), problem, recipients)}</bdi>
          </p>
        ))}
        {told.today !== null ? (
          <Outlook today={told.today} />
        ) : count > 1 ? (
          <p>{words.lasts(formatDuration(lasts(count), language))}</p>
        ) : null}
      </Notice>
      {messages.length === 0 ? null : (
        <>
          <h3 id={firstId}>{words.firstMessages}</h3>
          <DataTable
            labelledBy={firstId}
            heads={[words.person, words.steps[1] ?? '']}
            rows={messages}
            row={({ number, text }) => ({
              key: number,
              cells: [<bdi key="number">{showUnseen(number)}</bdi>, <bdi key="text">{showUnseen(text)}</bdi>],
            })}
          />
        </>
      )}
      {errors.length === 0 ? null : (
        <>
          <h3 id={wrongId}>{words.errors}</h3>
          <ul aria-labelledby={wrongId}>
            {errors.map(({ line, why }) => (
              <li key={line}>
                <bdi>{words.wrongRow(line, showUnseen(why))}</bdi>
              </li>
            ))}
          </ul>
        </>
      )}
    </>
  )
}
