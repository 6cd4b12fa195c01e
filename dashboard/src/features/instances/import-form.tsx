import { useNavigate } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { Problem } from '../../api/problem.js'
import { makeRandomKey } from '../../api/random-key.js'
import { buildShownCall } from '../../api/shown-call.js'
import { Button } from '../../components/button.js'
import dialog from '../../components/dialog.module.css'
import { Failure } from '../../components/failure.js'
import { CheckField, InputField } from '../../components/field.js'
import { ShowCurl } from '../../components/show-curl.js'
import { formatSize } from '../../format/size.js'
import { useShownFeatures } from '../../hooks/use-features.js'
import { useImportInstance } from '../../hooks/use-instances.js'
import { useImportWords } from '../../words/import-instance/index.js'
import { useLanguage, useWords } from '../../words/index.js'

const PASSPHRASE_MIN = 12
const PASSPHRASE_MAX = 1_000

/** Takes an instance from the file that another installation exported, and leads to it. */
export function ImportForm({ onClose }: { readonly onClose: () => void }) {
  const common = useWords()
  const words = useImportWords()
  const language = useLanguage()
  const navigate = useNavigate()
  const bytesMax = useShownFeatures()?.mediaMaxBytes
  const importing = useImportInstance()
  const [file, setFile] = useState<File | undefined>(undefined)
  const [passphrase, setPassphrase] = useState('')
  const [connect, setConnect] = useState(true)
  const [mark] = useState(() => `export-${makeRandomKey()}`)
  const most = bytesMax === undefined ? undefined : formatSize(bytesMax, language)
  const isTooLarge = file !== undefined && bytesMax !== undefined && file.size > bytesMax
  const { code = '', message = '', fields = {} } = importing.error instanceof Problem ? importing.error : {}
  const wrong = {
    file: isTooLarge && most !== undefined ? words.tooLarge(most) : code === 'INVALID_EXPORT' ? message : fields.file,
    passphrase: fields.passphrase,
  }
  const isPlaced = Object.values(wrong).some((reason) => reason !== undefined)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (file === undefined || isTooLarge || importing.isPending) return
    importing.mutate(
      { file, passphrase, connect },
      { onSuccess: ({ instance }) => void navigate({ to: '/instances/$id', params: { id: instance.id } }) },
    )
  }
  const body = { passphrase: '$PASSPHRASE', connect, file: file === undefined ? '$FILE' : mark }
  const files = new Map(file === undefined ? [] : [[mark, { name: file.name }]])
  return (
    <form className={dialog.form} onSubmit={submit}>
      <p>{words.help}</p>
      <InputField
        label={words.file}
        help={most === undefined ? undefined : words.fileHelp(most)}
        wrong={wrong.file}
        type="file"
        required
        onChange={({ target }) => {
          importing.reset()
          setFile(target.files?.[0])
        }}
      />
      <InputField
        label={words.passphrase}
        wrong={wrong.passphrase}
        type="password"
        autoComplete="off"
        required
        minLength={PASSPHRASE_MIN}
        maxLength={PASSPHRASE_MAX}
        value={passphrase}
        onChange={({ target }) => setPassphrase(target.value)}
      />
      <CheckField label={words.connect} checked={connect} onChange={({ target }) => setConnect(target.checked)} />
      {importing.error === null || isPlaced ? null : <Failure error={importing.error} />}
      <div className={dialog.actions}>
        <ShowCurl call={buildShownCall('importInstance', { body, files }, 'admintoken')} />
        <Button onClick={onClose}>{common.cancel}</Button>
        <Button type="submit" look="main" isBusy={importing.isPending}>
          {words.submit}
        </Button>
      </div>
    </form>
  )
}
