/** What sounds and videos say of themselves. */
export interface Tracks {
  /** Undefined when the file does not tell. */
  readonly seconds?: number
  /** The library's names for the codecs of its tracks. */
  readonly codecs: readonly string[]
}

/** Reads the length and codecs of a file. Loads the library with the first sound or video. */
export async function readTracks(file: string): Promise<Tracks> {
  const { parseFile } = await import('music-metadata')
  try {
    const { format } = await parseFile(file, { duration: true, skipCovers: true })
    const { duration = 0, trackInfo = [] } = format
    const codecs = trackInfo.flatMap(({ codecName }) => (codecName === undefined ? [] : [codecName]))
    return { ...(duration > 0 ? { seconds: duration } : {}), codecs }
  } catch {
    return { codecs: [] }
  }
}
