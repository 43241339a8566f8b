/** What is asked for of memory besides how much. */

/** What an allocation node asks for beyond its size; null where the text does not say. */
export interface AllocationProperties {
  readonly allocationType: number | null;
  readonly handleTypes: number | null;
  readonly location: Location;
  readonly access: readonly (Location & { readonly flags: number | null })[];
  /** Descriptors are counted where their list is null. */
  readonly lacksDescriptors?: true;
}

export interface Location {
  readonly locationType: number | null;
  readonly device: number | null;
}
