export interface StreamPool { readonly id: number }
