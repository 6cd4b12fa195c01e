/** The model that makes vectors. Vectors of two models are never compared. */
export interface VectorSpace {
  readonly model: string
  readonly dimensions: number
}

/** Returns the name under which entries of knowledge have their model. */
export function spaceName({ model, dimensions }: VectorSpace): string {
  return `${model} ${dimensions}`
}
