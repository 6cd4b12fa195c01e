import { useState } from 'react'
import type { ShownCall } from '../api/shown-call.js'
import { formatCurl } from '../format/curl.js'
import { formatN8nNode } from '../format/n8n.js'
import { formatPhp } from '../format/php.js'
import { formatPython } from '../format/python.js'
import { formatTypescript } from '../format/typescript.js'
import { useWords } from '../words/index.js'
import { Choices } from './choices.js'
import { Copyable } from './copyable.js'

const FORMS = {
  curl: formatCurl,
  TypeScript: formatTypescript,
  Python: formatPython,
  PHP: formatPhp,
  n8n: formatN8nNode,
}
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
