import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { Problem } from '../../api/problem.js'
import { makeRandomKey } from '../../api/random-key.js'
import type { ShownCall } from '../../api/shown-call.js'
import { Button } from '../../components/button.js'
import { Failure } from '../../components/failure.js'
import { InputField } from '../../components/field.js'
import layout from '../../components/layout.module.css'
import { ShowCurl } from '../../components/show-curl.js'
import { encodeBase64 } from '../../format/base64.js'
import type { ShownFile } from '../../format/shown.js'
import { formatSize } from '../../format/size.js'
import { useKeepPicture } from '../../hooks/use-chat-picture.js'
import { useLanguage } from '../../words/index.js'
import { usePictureWords } from '../../words/picture/index.js'

/** Maximum of bytes of a picture, as the gateway takes it. */
const BYTES_MAX = 5 * 1024 * 1024
/** Text that removes a picture. */
const REMOVE = 'remove'

interface PictureFormProps {
  /** Id of the instance. */
  readonly id: string
  /** The group; left out: the own account. */
  readonly number?: string
  /** Sends the picture as base64, or the word that removes it. */
  readonly onChange: (image: string) => Promise<unknown>
  /** Returns the call that does it, for programs. */
  readonly createCall: (image: string, files: ReadonlyMap<string, ShownFile>) => ShownCall
}

/** Gives somebody or something another picture, or takes it away. */
export function PictureForm({ id, number, onChange, createCall }: PictureFormProps) {
  const words = usePictureWords()
  const language = useLanguage()
  const keep = useKeepPicture(id, number)
  const [file, setFile] = useState<File | undefined>(undefined)
  // Another key empties the field of the file.
  const [turn, setTurn] = useState(0)
  const change = useMutation({
    mutationFn: async (chosen: File | null) => onChange(chosen === null ? REMOVE : await encodeBase64(chosen)),
    onSuccess: (_, chosen) => {
      keep(chosen)
      setFile(undefined)
      setTurn(turn + 1)
    },
  })
  const most = formatSize(BYTES_MAX, language)
  const isTooLarge = file !== undefined && file.size > BYTES_MAX
  const refused = change.error instanceof Problem ? change.error.fields.image : undefined
  const wrong = isTooLarge ? words.tooLarge(most) : refused
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (file !== undefined && !isTooLarge && !change.isPending) change.mutate(file)
  }
  const mark = `picture-${makeRandomKey()}`
  return (
    <form className={layout.form} onSubmit={submit}>
      <InputField
        key={turn}
        label={words.file}
        help={words.fileHelp(most)}
        wrong={wrong}
        type="file"
        accept="image/jpeg,image/png,image/webp,image/gif"
        required
        onChange={({ target }) => {
          change.reset()
          setFile(target.files?.[0])
        }}
      />
      {change.error === null || refused !== undefined ? null : <Failure error={change.error} />}
      <div className={layout.row}>
        <Button type="submit" look="main" isBusy={change.isPending}>
          {words.save}
        </Button>
        <Button isBusy={change.isPending} onClick={() => change.mutate(null)}>
          {words.remove}
        </Button>
        <ShowCurl
          call={
            file === undefined
              ? createCall(REMOVE, new Map())
              : createCall(mark, new Map([[mark, { name: file.name }]]))
          }
        />
        <span role="status">{change.isSuccess ? words.done : ''}</span>
      </div>
    </form>
  )
}
