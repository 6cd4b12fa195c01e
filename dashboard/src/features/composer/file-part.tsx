import { useId, useRef, useState } from 'react'
import { Button } from '../../components/button.js'
import { helpLook, InputField, labelLook, wrongLook } from '../../components/field.js'
import { formatSize } from '../../format/size.js'
import { showUnseen } from '../../format/visible.js'
import { useComposerWords } from '../../words/composer/index.js'
import { useLanguage } from '../../words/index.js'
import styles from './composer.module.css'
import type { FileSource } from './draft.js'

interface FilePartProps {
  readonly label: string
  readonly file: FileSource | null
  readonly onChange: (file: FileSource | null) => void
  readonly wrong?: string | undefined
  /** Kinds that the browser offers, as of `<input accept>`. */
  readonly accept?: string | undefined
  /** Maximum in bytes; unknown where the gateway does not tell it. */
  readonly maxBytes: number | undefined
  readonly maxLength: number
}

/** A file of this machine, or its address. */
export function FilePart({ label, file, onChange, wrong, accept, maxBytes, maxLength }: FilePartProps) {
  const composer = useComposerWords()
  const language = useLanguage()
  const id = useId()
  const input = useRef<HTMLInputElement>(null)
  const [isTooBig, setTooBig] = useState(false)
  const limit = maxBytes === undefined ? undefined : formatSize(maxBytes, language)
  const reason = isTooBig && limit !== undefined ? composer.fileTooBig(limit) : wrong

  function take(chosen: File | undefined): void {
    if (chosen === undefined) return
    const isOver = maxBytes !== undefined && chosen.size > maxBytes
    setTooBig(isOver)
    onChange(isOver ? null : { from: 'file', name: chosen.name, blob: chosen })
  }

  return (
    <fieldset className={styles.part}>
      <legend className={labelLook}>{label}</legend>
      {file?.from === 'file' ? (
        <div className={styles.inline}>
          <span>
            <bdi>{showUnseen(file.name)}</bdi> ({formatSize(file.blob.size, language)})
          </span>
          <Button onClick={() => onChange(null)}>{composer.removeFile}</Button>
        </div>
      ) : (
        <>
          <div className={styles.inline}>
            <label className={labelLook} htmlFor={id}>
              {composer.chooseFile}
            </label>
            <input
              ref={input}
              id={id}
              type="file"
              accept={accept}
              aria-describedby={limit === undefined ? undefined : `${id}-limit`}
              onChange={({ target }) => take(target.files?.[0])}
            />
            {limit === undefined ? null : (
              <span id={`${id}-limit`} className={helpLook}>
                {composer.fileLimit(limit)}
              </span>
            )}
          </div>
          <InputField
            label={composer.orAddress}
            type="url"
            placeholder="https://"
            maxLength={maxLength}
            value={file?.url ?? ''}
            onChange={({ target }) => onChange(target.value === '' ? null : { from: 'url', url: target.value })}
          />
        </>
      )}
      {reason === undefined ? null : (
        <p className={wrongLook} role="alert">
          {reason}
        </p>
      )}
    </fieldset>
  )
}
