import { FileCode2 } from 'lucide-react'
import type { EditFunctionRequest, FunctionRecord } from '../../../../schemas/generated.js'
import { Problem } from '../../api/problem.js'
import layout from '../../components/layout.module.css'
import { showUnseen } from '../../format/visible.js'
import { mayConnect } from '../../hooks/use-instance.js'
import { type Scope, useRead, useWrite } from '../../hooks/use-operation.js'
import { useAgentWords } from '../../words/agents/index.js'
import { useWords } from '../../words/index.js'
import { useRecordWords } from '../../words/records/index.js'
import type { FieldSpec } from '../records/field-spec.js'
import { Records } from '../records/records.js'
import { FunctionTrial } from './function-trial.js'
import { maskHeaders } from './masked-headers.js'
import { ParameterFields } from './parameter-fields.js'

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const

/** Functions that agents may call. Values of their headers are secrets and are not shown. */
export function FunctionList({ scope }: { readonly scope: Scope }) {
  const words = useWords()
  const agent = useAgentWords()
  const records = useRecordWords()
  const { data, error, refetch } = useRead(scope, 'listFunctions', {})
  const edit = useWrite(scope, 'editFunction', ['listFunctions'])
  const specs: readonly FieldSpec[] = [
    { name: 'name', label: agent.name, kind: 'text', required: true, maxLength: 64 },
    { name: 'description', label: agent.description, kind: 'long' },
    { name: 'method', label: agent.method, kind: 'choice', options: METHODS.map((one) => [one, one] as const) },
    { name: 'endpoint', label: agent.endpoint, kind: 'text', required: true },
    {
      name: 'parameters',
      label: agent.parameterList,
      kind: 'own',
      draw: (value, onChange) => <ParameterFields value={value} onChange={onChange} />,
    },
    { name: 'headers', label: agent.headers, kind: 'secret', help: agent.headersHelp },
    { name: 'body', label: agent.body, kind: 'long' },
    { name: 'isActive', label: agent.active, kind: 'check' },
    { name: 'retrySafe', label: agent.retrySafe, kind: 'check' },
  ]
  return (
    <Records<FunctionRecord, EditFunctionRequest>
      title={agent.functions}
      icon={FileCode2}
      about={words.abouts.functions}
      none={agent.noFunctions}
      add={agent.addFunction}
      items={data}
      error={error}
      onRetry={() => void refetch()}
      getKey={({ id }) => id}
      getName={({ name }) => showUnseen(name)}
      heads={[agent.name, agent.endpoint, agent.headers, agent.active, agent.problems]}
      listCells={({
        name,
        method,
        endpoint,
        headers = '',
        active,
        header_error,
        body_error,
        undocumentedParameters,
      }) => [
        <code key="name">{showUnseen(name)}</code>,
        <bdi key="endpoint">
          {method} {showUnseen(endpoint)}
        </bdi>,
        <code key="headers">{showUnseen(maskHeaders(headers))}</code>,
        active ? records.yes : records.no,
        <span key="problems" className={layout.muted}>
          {[header_error ? agent.headers : '', body_error ? agent.body : '', showUnseen(undocumentedParameters)]
            .filter(Boolean)
            .join(', ')}
        </span>,
      ]}
      specs={specs}
      listValues={(one) =>
        one === undefined
          ? { method: 'GET', isActive: true, retrySafe: false, parameters: [], headers: '' }
          : { ...one, isActive: one.active, headers: '', parameters: one.parameters ?? [] }
      }
      mayEdit={mayConnect()}
      {...(mayConnect() ? { more: (one) => <FunctionTrial scope={scope} tried={one} /> } : {})}
      write={{
        operation: 'editFunction',
        saved: (one, { parameters, ...rest }) => {
          const parsed = typeof parameters === 'string' ? parseArray(parameters, agent.notJson) : parameters
          const record = { ...rest, ...(parsed === undefined ? {} : { parameters: parsed as object[] }) }
          return one === undefined
            ? { function: { method: 'GET', isActive: true, ...record } }
            : { id: one.id, function: record }
        },
        deleted: ({ id }) => ({ id, delete: true }),
        run: (body) => edit.mutateAsync({ body }),
      }}
      removal={agent.functionRemoval}
    />
  )
}

/** @throws Problem with the reason at the field, if it is no JSON */
function parseArray(text: string, why: string): object[] {
  try {
    return JSON.parse(text === '' ? '[]' : text) as object[]
  } catch {
    throw new Problem('INVALID_REQUEST', 400, why, undefined, [{ field: 'parameters', why }])
  }
}
