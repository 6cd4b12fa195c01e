import { type FormEvent, useState } from 'react'
import type { FunctionRecord, TestFunctionReply } from '../../../../schemas/generated.js'
import { Problem } from '../../api/problem.js'
import { buildShownCall } from '../../api/shown-call.js'
import { Button } from '../../components/button.js'
import { Dialog } from '../../components/dialog.js'
import { Failure } from '../../components/failure.js'
import { InputField, SelectField } from '../../components/field.js'
import layout from '../../components/layout.module.css'
import { Notice } from '../../components/notice.js'
import { ShowCurl } from '../../components/show-curl.js'
import { showUnseen } from '../../format/visible.js'
import { type Scope, useWrite } from '../../hooks/use-operation.js'
import { useAgentWords } from '../../words/agents/index.js'
import { findWrong } from '../records/field-spec.js'
import { listAllowedValues, listFilledByGateway, makeArguments } from './trial-fields.js'

/** Maximum of characters of a value that the gateway fills. */
const FILLED_MAX = 1_000

interface FunctionTrialProps {
  readonly scope: Scope
  readonly tried: FunctionRecord
}

/** A button, and the dialog in which a function is called as a model would. */
export function FunctionTrial({ scope, tried }: FunctionTrialProps) {
  const agent = useAgentWords()
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button onClick={() => setOpen(true)}>{agent.tryFunction}</Button>
      <Dialog isOpen={isOpen} onClose={() => setOpen(false)} title={agent.tryTitle(showUnseen(tried.name))}>
        <Trial scope={scope} tried={tried} />
      </Dialog>
    </>
  )
}

type Texts = Readonly<Record<string, string>>

function Trial({ scope, tried }: FunctionTrialProps) {
  const agent = useAgentWords()
  const test = useWrite(scope, 'testFunction')
  const [given, setGiven] = useState<Texts>({})
  const [filled, setFilled] = useState<Texts>({})
  const parameters = (tried.parameters ?? []).filter(({ name = '' }) => name !== '')
  const names = listFilledByGateway(tried)
  const values = Object.fromEntries(Object.entries(filled).filter(([, value]) => value !== ''))
  const body = {
    id: tried.id,
    arguments: makeArguments(parameters, given),
    ...(Object.keys(values).length === 0 ? {} : { placeholders: values }),
  }
  const reasons = test.error instanceof Problem ? test.error.fields : {}
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!test.isPending) test.mutate({ body })
  }
  return (
    <form className={layout.form} onSubmit={submit}>
      <p>{agent.tryHelp}</p>
      {parameters.map((parameter) => (
        <Argument
          key={parameter.name}
          parameter={parameter}
          wrong={findWrong(reasons, parameter.name ?? '')}
          value={given[parameter.name ?? ''] ?? ''}
          onChange={(value) => setGiven({ ...given, [parameter.name ?? '']: value })}
        />
      ))}
      {names.length === 0 ? null : (
        <fieldset className={layout.group}>
          <legend>{agent.filled}</legend>
          {names.map((name) => (
            <InputField
              key={name}
              label={showUnseen(name)}
              autoComplete="off"
              maxLength={FILLED_MAX}
              wrong={findWrong(reasons, name)}
              value={filled[name] ?? ''}
              onChange={({ target }) => setFilled({ ...filled, [name]: target.value })}
            />
          ))}
        </fieldset>
      )}
      {test.error === null ? null : <Failure error={test.error} />}
      <div className={layout.row}>
        <Button type="submit" look="main" isBusy={test.isPending}>
          {agent.callNow}
        </Button>
        <ShowCurl call={buildShownCall('testFunction', { body })} />
      </div>
      <div role="status">{test.data === undefined ? null : <Answer answer={test.data} />}</div>
    </form>
  )
}

interface ArgumentProps {
  readonly parameter: NonNullable<FunctionRecord['parameters']>[number]
  readonly wrong: string | undefined
  readonly value: string
  readonly onChange: (value: string) => void
}

function Argument({ parameter, wrong, value, onChange }: ArgumentProps) {
  const agent = useAgentWords()
  const { name = '', type, description = '', required = false, minimum, maximum } = parameter
  const allowed = listAllowedValues(parameter)
  const isNumber = type === 'number' || type === 'integer'
  const shared = { label: showUnseen(name), help: showUnseen(description) || undefined, wrong, required, value }
  if (allowed.length > 0)
    return (
      <SelectField {...shared} onChange={({ target }) => onChange(target.value)}>
        <option value="">{agent.none}</option>
        {allowed.map((one) => (
          <option key={one} value={one}>
            {showUnseen(one)}
          </option>
        ))}
      </SelectField>
    )
  return (
    <InputField
      {...shared}
      autoComplete="off"
      type={isNumber ? 'number' : 'text'}
      step={isNumber ? (type === 'integer' ? 1 : 'any') : undefined}
      min={minimum}
      max={maximum}
      onChange={({ target }) => onChange(target.value)}
    />
  )
}

function Answer({ answer }: { readonly answer: TestFunctionReply }) {
  const agent = useAgentWords()
  const { text, isError, endpoint, status, durationMs } = answer
  const facts = [endpoint, status, durationMs === undefined ? undefined : agent.ms(durationMs)]
  return (
    <>
      <h3>{agent.answerToModel}</h3>
      {isError ? <Notice look="bad">{agent.triedInVain}</Notice> : null}
      <p className={layout.muted}>
        <bdi>{showUnseen(facts.filter((fact) => fact !== undefined).join(' · '))}</bdi>
      </p>
      <pre className={layout.code}>{showUnseen(text)}</pre>
    </>
  )
}
