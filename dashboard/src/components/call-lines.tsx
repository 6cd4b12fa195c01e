import { useState } from 'react'
import type { ShownCall } from '../api/shown-call.js'
import { curlLine } from '../format/curl.js'
import { n8nNode } from '../format/n8n.js'
import { phpCode } from '../format/php.js'
import { pythonCode } from '../format/python.js'
import { typescriptCode } from '../format/typescript.js'
import { useWords } from '../words/index.js'
import { Choices } from './choices.js'
import { Copyable } from './copyable.js'

const FORMS = { curl: curlLine, TypeScript: typescriptCode, Python: pythonCode, PHP: phpCode, n8n: n8nNode }
type Form = keyof typeof FORMS

/** The form that was chosen last, for this tab. */
let last: Form = 'curl'

/** A call for programs: as a line for a shell, or as code of the client library. */
export function CallLines({ call }: { readonly call: ShownCall }) {
  const words = useWords()
  const [form, setForm] = useState(last)
  return (
    <div className="grid content-start gap-2">
      <Choices
        label={words.codeForm}
        options={(Object.keys(FORMS) as Form[]).map((one) => [one, one] as const)}
        chosen={form}
        onChoose={(chosen) => {
          last = chosen
          setForm(chosen)
        }}
      />
      <Copyable text={FORMS[form](call)} copy={words.copy} copied={words.copied} />
    </div>
  )
}
