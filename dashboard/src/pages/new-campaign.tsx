import { useNavigate } from '@tanstack/react-router'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { Problem } from '../api/problem.js'
import { makeRandomKey } from '../api/random-key.js'
import { Button } from '../components/button.js'
import { makeLate } from '../components/late.js'
import layout from '../components/layout.module.css'
import { Card, Notice } from '../components/notice.js'
import { ListStep } from '../features/campaigns/list-step.js'
import { estimateMs, makePace, makePaceFields } from '../features/campaigns/pace.js'
import { makeVariantFields, type Variant } from '../features/campaigns/variants.js'
import { makeContent } from '../features/composer/content.js'
import { type Draft, isFile, makeDraft } from '../features/composer/draft.js'
import { findWrongPlaces } from '../features/composer/wrong-places.js'
import type { ListMapping } from '../features/csv/recipients.js'
import { useListWorker } from '../features/csv/use-list-worker.js'
import { readOwnZone } from '../format/local-time.js'
import { type ImportCall, useImport } from '../hooks/use-campaigns.js'
import { maySend } from '../hooks/use-instance.js'
import { useThisInstance } from '../hooks/use-this-instance.js'
import { useCampaignWords } from '../words/campaigns/index.js'
import { useComposerWords } from '../words/composer/index.js'
import { useWords } from '../words/index.js'

/** The steps after the first load when the page is idle. */
const MessageStep = makeLate(async () => (await import('../features/campaigns/message-step.js')).MessageStep, {
  isAhead: true,
})
const PaceStep = makeLate(async () => (await import('../features/campaigns/pace-step.js')).PaceStep, { isAhead: true })
const CheckStep = makeLate(async () => (await import('../features/campaigns/check-step.js')).CheckStep, {
  isAhead: true,
})

/** Stands for the list in the body until it is read. */
const LIST_MARK = `list-${makeRandomKey()}`

const LIST_NAME = 'recipients.ndjson'

/** Makes a campaign in steps: the list, the message, the pace, and a check that sends nothing. */
export function NewCampaign() {
  const words = useCampaignWords()
  const common = useWords()
  return (
    <>
      <h1>{words.new}</h1>
      {maySend() ? <Steps /> : <Notice>{common.instance.reading}</Notice>}
    </>
  )
}

function Steps() {
  const words = useCampaignWords()
  const composer = useComposerWords()
  const common = useWords()
  const { told } = useThisInstance()
  const list = useListWorker()
  const [step, setStep] = useState(0)
  const [choice, setChoice] = useMapping(list.head?.guess, told.instance.defaultCountry !== '')
  const [draft, changeDraft] = useParts(makeDraft)
  const [variants, setVariants] = useState<readonly Variant[]>([])
  const [pace, changePace] = useParts(() => makePace(readOwnZone()))
  const [allowEmpty, setAllowEmpty] = useState(false)
  const [isMissing, setMissing] = useState(false)
  const title = useRef<HTMLHeadingElement>(null)
  const { built } = list

  const call = buildImportCall(draft, variants, { ...makePaceFields(pace), allowEmpty }, built?.blob)
  const sizes = [...call.files.values()].map(({ blob }) => blob.size)
  const { dryRun, start, isChecked, check, begin } = useStart(call, JSON.stringify([call.body, choice, sizes]))
  const reasons = findWrongPlaces(start.error ?? dryRun.error, makeContent(draft).places)
  const wrong = (place: string) => (place === 'file' && isMissing ? composer.fileMissing : reasons[place])
  const count = dryRun.data?.count ?? 0

  function go(next: number): void {
    setStep(next)
    requestAnimationFrame(() => title.current?.focus())
  }

  function submit(event: FormEvent): void {
    event.preventDefault()
    const lacksFile = step === 1 && isFile(draft.kind) && draft.file === null
    setMissing(lacksFile)
    if (lacksFile || start.isPending) return
    if (step < 3) go(step + 1)
    else if (isChecked) begin()
    else check()
  }

  return (
    <Card>
      <form className={layout.form} onSubmit={submit}>
        <h2 ref={title} tabIndex={-1}>
          {words.step(step + 1, words.steps.length, words.steps[step] ?? '')}
        </h2>
        {step === 0 ? <ListStep list={list} choice={choice} onChange={setChoice} /> : null}
        {step === 1 ? (
          <MessageStep
            draft={draft}
            change={changeDraft}
            variants={variants}
            onVariants={setVariants}
            wrong={wrong}
            samples={built?.samples ?? []}
            fieldNames={Object.values(told.instance.fieldsMap ?? {})}
          />
        ) : null}
        {step === 2 ? <PaceStep pace={pace} change={changePace} wrong={wrong} /> : null}
        {step === 3 && built !== undefined ? (
          <CheckStep
            call={call}
            list={built.blob}
            listName={LIST_NAME}
            dryRun={dryRun}
            start={start}
            isChecked={isChecked}
            lasts={(people) => estimateMs(pace, people)}
            onCheck={check}
            allowEmpty={allowEmpty}
            onAllowEmpty={setAllowEmpty}
          />
        ) : null}
        <div className={layout.row}>
          {step === 0 ? null : <Button onClick={() => go(step - 1)}>{common.back}</Button>}
          {step < 3 ? (
            <MainButton text={words.next} isDisabled={built === undefined || built.good === 0} isBusy={list.isBusy} />
          ) : isChecked && count > 0 ? (
            <MainButton text={words.begin(count)} isBusy={start.isPending} />
          ) : null}
        </div>
      </form>
    </Card>
  )
}

/** Keeps the columns that a person chose; another list has other columns. */
function useMapping(guess: ListMapping['columns'] | undefined, hasCountry: boolean) {
  const chosen = useState<ListMapping>({ columns: [], countryCode: '', hasCountry })
  const [, setChoice] = chosen
  useEffect(() => {
    if (guess !== undefined) setChoice((before) => ({ ...before, columns: guess }))
  }, [guess])
  return chosen
}

/** Keeps an object that is changed in parts. */
function useParts<T extends object>(initial: () => T): readonly [T, (part: Partial<T>) => void] {
  const [value, setValue] = useState(initial)
  return [value, (part) => setValue((before) => ({ ...before, ...part }))]
}

interface MainButtonProps {
  readonly text: string
  readonly isDisabled?: boolean
  readonly isBusy: boolean
}

function MainButton({ text, isDisabled = false, isBusy }: MainButtonProps) {
  return (
    <Button type="submit" look="main" disabled={isDisabled} isBusy={isBusy}>
      {text}
    </Button>
  )
}

/** Checks the campaign and starts it. `print` tells one campaign from another, so that only what was checked is started. */
function useStart(call: ImportCall, print: string) {
  const { id, credential } = useThisInstance()
  const navigate = useNavigate({ from: '/instances/$id/campaigns/new' })
  const dryRun = useImport(id, credential)
  const start = useImport(id, credential)
  const key = useRef(makeRandomKey())
  const [checked, setChecked] = useState('')

  function check(): void {
    key.current = makeRandomKey()
    setChecked(print)
    dryRun.mutate({ ...call, body: { ...call.body, dryRun: true } })
  }

  function begin(): void {
    start.mutate(
      { ...call, idempotencyKey: key.current },
      {
        onSuccess: ({ folder_id: folder }) =>
          void navigate({ to: '/instances/$id/campaigns/$folder', params: { id, folder } }),
        onError: (error) => {
          const isUnknown = error instanceof Problem && (error.status === 0 || error.status >= 500)
          if (!isUnknown) key.current = makeRandomKey()
        },
      },
    )
  }

  return { dryRun, start, isChecked: checked === print && dryRun.data !== undefined, check, begin }
}

function buildImportCall(
  draft: Draft,
  variants: readonly Variant[],
  options: object,
  list: Blob | undefined,
): ImportCall {
  const { type, fields, files } = makeContent(draft)
  const all = new Map(files)
  if (list !== undefined) all.set(LIST_MARK, { name: LIST_NAME, blob: list })
  // The marks stand in the body in the order of the files, for the line of the shell.
  const body = {
    type,
    ...options,
    ...fields,
    ...makeVariantFields(draft, variants),
    onInvalid: 'skip',
    format: 'ndjson',
    recipients: LIST_MARK,
  }
  return { body, files: all }
}
