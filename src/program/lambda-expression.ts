/** Functions that are written where they are used. */

import type { Span } from '../base/span.ts';
import type { Expression, FunctionDefinition, Parameter, Statement, TypeReference } from './program.ts';

export interface LambdaExpression {
  readonly kind: 'lambda';
  readonly parameters: readonly Parameter[];
  /** `this auto self`: what it calls itself. */
  readonly objectParameter?: Parameter;
  /** `[]<class T>(T x) {…}`, as of a function. */
  readonly templateParameters?: readonly string[];
  readonly templateDefaults?: FunctionDefinition['templateDefaults'];
  readonly body: readonly Statement[];
  /** Of one for the device, of which the host runs nothing: what it does there. No part of the host's program. */
  readonly bodyOnDevice?: () => readonly Statement[];
  /** What stands behind `->`. */
  readonly returnType?: TypeReference;
  /** Names captured by value; everything else is by reference. `=` means all. */
  readonly capturesByValue: readonly string[] | '=';
  /** What is by reference although everything else is by value. */
  readonly capturesByReference: readonly string[];
  /** `[n = expression]`, `[&n = expression]`: variables of the lambda's own. */
  readonly ownVariables: readonly { readonly name: string; readonly value: Expression; readonly isAlias?: boolean }[];
  /** It may change what it captured by value, which each copy of it has for itself. */
  readonly isMutable?: boolean;
  /** A function of TypeScript's: a parameter that nothing is given for is `undefined`. */
  readonly isScript?: boolean;
  /** `this` is what it is called on, as in a method of an object literal. */
  readonly hasThis?: boolean;
  /** `get size() {…}`: called where the member is named. */
  readonly isGetter?: boolean;
  readonly span: Span;
}
