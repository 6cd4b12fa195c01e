import { fieldLimits, menuLimits } from '../../api/limits.js'
import { CheckField, InputField } from '../../components/field.js'
import { useShownFeatures } from '../../hooks/use-features.js'
import { useComposerWords } from '../../words/composer/index.js'
import { CarouselBuilder } from './carousel-builder.js'
import styles from './composer.module.css'
import { type Draft, hasText, isFile, isMenu, type Kind } from './draft.js'
import { FilePart } from './file-part.js'
import { KindMenu } from './kind-menu.js'
import { ButtonRows, ListBuilder, PollBuilder } from './menu-builders.js'
import { ContactBuilder, LocationBuilder, PixBuilder } from './plain-builders.js'
import { TextBox } from './text-box.js'
import { VoiceRecorder } from './voice-recorder.js'

export interface BuilderProps {
  readonly draft: Draft
  readonly change: (part: Partial<Draft>) => void
  /** Returns the reason why the field at a place of the builder does not fit. */
  readonly wrong: (place: string) => string | undefined
  /** Names of placeholders. */
  readonly names: readonly string[]
  /** Maximum of a file. */
  readonly maxBytes: number | undefined
  /** True: cards show pictures only, as those of campaigns. */
  readonly onlyPictures?: boolean
}

interface MessageEditorProps extends Omit<BuilderProps, 'maxBytes'> {
  readonly isSentByEnter?: boolean
}

const ACCEPT: Partial<Record<Kind, string>> = {
  image: 'image/*',
  video: 'video/*',
  audio: 'audio/*',
  ptt: 'audio/*',
  sticker: 'image/*',
}

/** Edits a draft: the kind, its text, and what belongs to the kind. */
export function MessageEditor({ isSentByEnter = false, ...given }: MessageEditorProps) {
  const composer = useComposerWords()
  const features = useShownFeatures()
  const props = { ...given, maxBytes: features?.mediaMaxBytes }
  const { draft, change, wrong, names } = props
  const { kind } = draft
  const label = isMenu(kind)
    ? kind === 'poll'
      ? composer.question
      : composer.textAbove
    : isFile(kind)
      ? composer.caption
      : composer.message
  return (
    <div className={styles.editor}>
      <div className={styles.inline}>
        <KindMenu kind={kind} onChange={(next) => change({ kind: next })} />
      </div>
      {isFile(kind) ? <FileFields {...props} canConvert={features?.conversion ?? true} /> : null}
      {hasText(kind) ? (
        <TextBox
          label={label}
          isRequired={kind === 'text' || isMenu(kind)}
          isSentByEnter={isSentByEnter && kind === 'text'}
          maxLength={kind === 'poll' ? menuLimits.pollQuestion : fieldLimits.text.text.maxLength}
          wrong={wrong('text')}
          names={names}
          value={draft.text}
          onChange={(text) => change({ text })}
        />
      ) : null}
      {kind === 'text' && /https?:\/\//i.test(draft.text) ? (
        <CheckField
          label={composer.linkPreview}
          checked={draft.linkPreview}
          onChange={({ target }) => change({ linkPreview: target.checked })}
        />
      ) : null}
      <Builder {...props} />
    </div>
  )
}

function Builder(props: BuilderProps) {
  switch (props.draft.kind) {
    case 'location':
      return <LocationBuilder {...props} />
    case 'contact':
      return <ContactBuilder {...props} />
    case 'pix':
      return <PixBuilder {...props} />
    case 'button':
      return <ButtonsBuilder {...props} />
    case 'list':
      return (
        <>
          <ListBuilder {...props} />
          <Below {...props} />
        </>
      )
    case 'poll':
      return <PollBuilder {...props} />
    case 'carousel':
      return (
        <>
          <CarouselBuilder {...props} />
          <Below {...props} />
        </>
      )
    default:
      return null
  }
}

function ButtonsBuilder(props: BuilderProps) {
  const composer = useComposerWords()
  const { draft, change, wrong, maxBytes } = props
  return (
    <>
      <ButtonRows
        buttons={draft.buttons}
        onChange={(buttons) => change({ buttons })}
        max={menuLimits.buttons}
        wrongAt={(index) => wrong(`buttons.${index}`)}
      />
      <FilePart
        label={composer.picture}
        accept="image/*"
        maxBytes={maxBytes}
        maxLength={fieldLimits.menu.imageButton.maxLength}
        wrong={wrong('picture')}
        file={draft.picture}
        onChange={(picture) => change({ picture })}
      />
      <Below {...props} />
    </>
  )
}

/** Footer and fallback of a menu. */
function Below({ draft, change, wrong }: BuilderProps) {
  const composer = useComposerWords()
  return (
    <>
      {draft.kind === 'carousel' ? null : (
        <InputField
          label={composer.footer}
          maxLength={fieldLimits.menu.footerText.maxLength}
          help={draft.footer.length > menuLimits.footer ? composer.cutAfter(menuLimits.footer) : undefined}
          wrong={wrong('footer')}
          value={draft.footer}
          onChange={({ target }) => change({ footer: target.value })}
        />
      )}
      <CheckField
        label={composer.fallback}
        checked={draft.fallback}
        onChange={({ target }) => change({ fallback: target.checked })}
      />
    </>
  )
}

function FileFields({
  draft,
  change,
  wrong,
  maxBytes,
  canConvert,
  onlyPictures,
}: BuilderProps & { readonly canConvert: boolean }) {
  const composer = useComposerWords()
  const { kind } = draft
  return (
    <>
      {kind === 'ptt' && draft.file === null ? <VoiceRecorder onRecorded={(file) => change({ file })} /> : null}
      <FilePart
        label={composer.file}
        accept={ACCEPT[kind]}
        maxBytes={maxBytes}
        maxLength={fieldLimits.media.file.maxLength}
        wrong={wrong('file')}
        file={draft.file}
        onChange={(file) => change({ file })}
      />
      {kind === 'ptt' && !canConvert ? <p>{composer.needsConversion}</p> : null}
      {kind === 'image' || kind === 'video' || kind === 'audio' ? (
        <CheckField
          label={composer.viewOnce}
          checked={draft.viewOnce}
          onChange={({ target }) => change({ viewOnce: target.checked })}
        />
      ) : null}
      {kind === 'image' && !draft.viewOnce && !onlyPictures ? (
        <CheckField
          label={composer.hd}
          help={composer.hdHelp}
          checked={draft.hd}
          onChange={({ target }) => change({ hd: target.checked })}
        />
      ) : null}
    </>
  )
}
