/**
 * The host program: the one intermediate representation that both languages lower to. It knows nothing of CUDA
 * but the triple-chevron kernel launch. Every node carries the span of the text it came from.
 * What a front end could not read becomes an `unknown` node, so that only the enclosing statement is lost.
 */

import type { Span } from '../base/span.ts';
import type { FunctionBody } from './function-body.ts';
import type { LambdaExpression } from './lambda-expression.ts';
import type { ListExpression } from './list-expression.ts';
import type { MemberInitializer } from './member-initializer.ts';
import type { NumberType } from './number-types.ts';
import type { RequiresExpression } from './requires-expression.ts';
import type { SwitchCase } from './switch-case.ts';

export type { LambdaExpression } from './lambda-expression.ts';
export type { ListElement } from './list-element.ts';
export { commandLine, type MacroDefinition } from './macro-definition.ts';
export type { MacroBody, Module } from './module.ts';
export type { ModuleItem } from './module-item.ts';

/** A type as written: base name, template arguments, pointer levels, and the declarator's array extents. */
export interface TypeReference {
  readonly name: string;
  readonly arguments: readonly (TypeReference | Expression)[];
  readonly pointers: number;
  readonly isReference: boolean;
  /** `T &&`: something that is given away. */
  readonly takesMoved?: boolean;
  readonly isConst: boolean;
  readonly isVolatile?: boolean; // `std::atomic<T>`, too
  readonly isOutermost?: boolean;
  readonly extents: readonly (Expression | null)[];
  /** Of `decltype(x)`: the x. */
  readonly of?: Expression;
  /** Of an alias template: the names that its arguments stand for. */
  readonly parameters?: readonly string[];
  /** `S<T>` in `S<T>::type`. */
  readonly qualifier?: TypeReference;
  /** Of a pointer to a function: what that takes. Of a type of functions, `R(A...)`, beside what they return. */
  readonly takes?: readonly TypeReference[];
  /** `rank()` among template arguments: functions that give a `rank`, or a call of the function `rank`. */
  readonly isCalled?: boolean;
  readonly isOfMember?: boolean; // `int (T::*)()`: a pointer to a method
  readonly outer?: TypeReference; // `Pool<int>`, of the class `Block` in it
}

export type Expression =
  /** `isNothing`: TypeScript's `undefined` and `null`; `isRounded`: the nearest number there is, beyond 2^53, to this exact one. */
  | {
      readonly kind: 'number';
      readonly value: number;
      readonly isNothing?: boolean;
      /** `nullptr`. */
      readonly isNullPointer?: boolean;
      readonly isRounded?: boolean;
      readonly exact?: bigint;
      readonly type?: NumberType;
      readonly span: Span;
    }
  /** `whole`: what is written, where a zero in it ends the text before that does. */
  | { readonly kind: 'string'; readonly value: string; readonly whole?: string; readonly span: Span }
  /** `isOutermost`: it is looked for in no namespace and no class. A plain name that is so begins with `::`. */
  | {
      readonly kind: 'name';
      readonly name: string;
      readonly template?: NameTemplate;
      readonly isOutermost?: boolean;
      readonly span: Span;
    }
  /** `(x + ...)`, `(0 + ... + x)`: the parts as written, of which one names packs. `isLeft`: the dots stand before the only part. */
  | {
      readonly kind: 'fold';
      readonly operator: string;
      readonly parts: readonly Expression[];
      readonly isLeft: boolean;
      readonly span: Span;
    }
  | {
      readonly kind: 'unary';
      readonly operator: UnaryOperator;
      readonly operand: Expression;
      /** As TypeScript reads it: `...list` stands for the elements of a list. */
      readonly isScript?: boolean;
      readonly span: Span;
    }
  | {
      readonly kind: 'update';
      readonly operator: '++' | '--';
      readonly prefix: boolean;
      readonly operand: Expression;
      readonly span: Span;
    }
  | {
      readonly kind: 'binary';
      readonly operator: string;
      readonly left: Expression;
      readonly right: Expression;
      /** As TypeScript reads it: `+` joins texts, `||` is one of its operands. */
      readonly isScript?: boolean;
      readonly span: Span;
    }
  | {
      /** `operator` is `=` or a compound such as `+=`. */
      readonly kind: 'assign';
      readonly operator: string;
      readonly target: Expression;
      readonly value: Expression;
      /** As TypeScript reads it: `+=` joins texts, a member may be a setter. */
      readonly isScript?: boolean;
      readonly span: Span;
    }
  | {
      readonly kind: 'conditional';
      readonly condition: Expression;
      readonly whenTrue: Expression;
      readonly whenFalse: Expression;
      readonly span: Span;
    }
  | {
      readonly kind: 'member';
      readonly object: Expression;
      readonly name: string;
      /** `p->name`. */
      readonly isArrow?: boolean;
      /** A property of TypeScript's: what an object does not have is `undefined`. */
      readonly isScript?: boolean;
      /** `o?.name`. */
      readonly isOptional?: boolean;
      /** `super.name`: as that class has it. */
      readonly ofBase?: string;
      readonly span: Span;
    }
  | {
      readonly kind: 'index';
      readonly object: Expression;
      readonly index: Expression;
      /** A property of TypeScript's, by a number or a text. */
      readonly isScript?: boolean;
      readonly isOptional?: boolean;
      readonly span: Span;
    }
  | CallExpression
  | RequiresExpression
  | {
      readonly kind: 'launch';
      readonly kernel: Expression;
      readonly configuration: readonly Expression[];
      readonly arguments: readonly Expression[];
      readonly span: Span;
    }
  | {
      readonly kind: 'cast';
      readonly type: TypeReference;
      readonly operand: Expression;
      readonly isAsked?: boolean;
      readonly span: Span;
    }
  | {
      readonly kind: 'sizeof';
      /** Of `offsetof`: the member whose distance from the beginning it is. */
      readonly beforeMember?: string;
      readonly isAlignment?: boolean;
      readonly type: TypeReference | null;
      readonly operand: Expression | null;
      readonly span: Span;
    }
  | {
      /** `T(a)`, `T{a}`, `new T(a)`, `new T[n]`. */
      readonly kind: 'construct';
      readonly type: TypeReference;
      readonly arguments: readonly Expression[];
      readonly isNew: boolean;
      /** `new (place()) T`: what says where. */
      readonly placement?: Expression;
      readonly span: Span;
    }
  | { readonly kind: 'delete'; readonly operand: Expression; readonly span: Span }
  | ListExpression
  | LambdaExpression
  | { readonly kind: 'sequence'; readonly expressions: readonly Expression[]; readonly span: Span }
  | { readonly kind: 'block'; readonly body: readonly Statement[]; readonly span: Span }
  | { readonly kind: 'throw'; readonly operand: Expression | null; readonly span: Span }
  | { readonly kind: 'unknown'; readonly what: string; readonly parts: readonly Expression[]; readonly span: Span };

/** Template arguments in a name: `f<int>` has arguments of its own, `Traits<int>::size` a class with arguments before it. */
export interface NameTemplate {
  readonly qualifier: TypeReference | null;
  readonly arguments: readonly (TypeReference | Expression)[];
}

export type UnaryOperator = '-' | '+' | '!' | '~' | '&' | '*' | '...';

export interface CallExpression {
  readonly kind: 'call';
  readonly callee: Expression;
  readonly templateArguments: readonly (TypeReference | Expression)[];
  readonly arguments: readonly Expression[];
  readonly isBracketed?: boolean; // `(free)(p)`: a macro of that name is not meant
  readonly span: Span;
}

export interface Declaration {
  /** Of a member of a union: which one, told by where it begins. Members of one lie in the same place, those of a structure in it (`structAt`) in a row. */
  readonly unionAt?: number;
  readonly structAt?: number;
  readonly name: string;
  readonly type: TypeReference;
  readonly initializer: Expression | null;
  /** `T x(a, b)` and `T x{a, b}` as opposed to `T x = …`. */
  readonly constructorArguments: readonly Expression[] | null;
  readonly isStatic: boolean;
  /** `extern`, or a variable of the device; an enumeration's that says no type: wide enough. `thread`: each has one for itself. */
  readonly isElsewhere?: boolean | 'thread';
  /** `__device__`, `__constant__`, `__managed__`: kernels reach it by its name; the last is `managed`: the host does as well. */
  readonly isOnDevice?: true | 'managed';
  readonly isEnumerator?: boolean;
  /** `alignas(16) float x;`, `double x __attribute__((packed));`, `unsigned x : 3;`, `[[no_unique_address]] T x;`: of a member. */
  readonly alignment?: Expression;
  readonly isPacked?: boolean;
  readonly bits?: Expression;
  readonly takesNoRoom?: boolean;
  readonly span: Span;
}

export type Statement =
  | { readonly kind: 'expression'; readonly expression: Expression; readonly span: Span }
  | { readonly kind: 'declare'; readonly declarations: readonly Declaration[]; readonly span: Span }
  | {
      readonly kind: 'destructure';
      readonly names: readonly { readonly name: string; readonly field: string | null }[];
      readonly value: Expression;
      readonly isReference: boolean;
      /** TypeScript's: the parts are properties. */
      readonly isScript?: boolean;
      readonly span: Span;
    }
  /** `isStatic`: what a class of TypeScript does when it is defined. */
  | { readonly kind: 'block'; readonly body: readonly Statement[]; readonly isStatic?: boolean; readonly span: Span }
  | {
      readonly kind: 'if';
      readonly initializer: Statement | null;
      readonly condition: Expression;
      readonly whenTrue: Statement;
      readonly whenFalse: Statement | null;
      readonly span: Span;
    }
  | {
      readonly kind: 'loop';
      readonly initializer: Statement | null;
      readonly condition: Expression | null;
      readonly update: Expression | null;
      readonly body: Statement;
      /** `do … while`: the body runs before the first test. */
      readonly bodyFirst: boolean;
      /** What a `break` or `continue` inside may call it. */
      readonly label?: string;
      readonly span: Span;
    }
  | {
      readonly kind: 'forEach';
      readonly declaration: Declaration | null;
      readonly names: readonly string[];
      /** `auto [a, b] : all`: the names are the parts of a copy. */
      readonly isOfCopies?: boolean;
      readonly range: Expression;
      readonly body: Statement;
      /** TypeScript's: `of` goes through values, `in` through names. */
      readonly over?: 'values' | 'names';
      readonly label?: string;
      readonly span: Span;
    }
  | {
      readonly kind: 'switch';
      readonly subject: Expression;
      readonly cases: readonly SwitchCase[];
      readonly span: Span;
    }
  /** `isPlace`: `return (x);`, which for `decltype(auto)` is the variable itself. */
  | { readonly kind: 'return'; readonly value: Expression | null; readonly isPlace?: boolean; readonly span: Span }
  /** `using name = type` inside a function; of a namespace the name ends in `::`. */
  | {
      readonly kind: 'using';
      readonly name: string;
      readonly isNamespace: boolean;
      /** `using enum E;` */
      readonly isEnum?: boolean;
      readonly span: Span;
    }
  | { readonly kind: 'alias'; readonly name: string; readonly type: TypeReference; readonly span: Span }
  | { readonly kind: 'break'; readonly loop?: string; readonly span: Span }
  /** `name:`, and the `goto` that leads there, or `to` the address of one. */
  | { readonly kind: 'label'; readonly name: string; readonly span: Span }
  | { readonly kind: 'goto'; readonly label: string; readonly to?: Expression; readonly span: Span }
  | { readonly kind: 'continue'; readonly loop?: string; readonly span: Span }
  | {
      readonly kind: 'try';
      readonly body: Statement;
      readonly handlers: readonly Statement[];
      /** What each handler catches; null for everything. */
      readonly caught: readonly (TypeReference | null)[];
      readonly caughtAs?: readonly (string | null)[];
      readonly finalizer: Statement | null;
      readonly span: Span;
    }
  | { readonly kind: 'function'; readonly definition: FunctionDefinition; readonly span: Span }
  | { readonly kind: 'class'; readonly definition: ClassDefinition; readonly span: Span }
  | { readonly kind: 'unknown'; readonly what: string; readonly parts: readonly Expression[]; readonly span: Span };

export interface Parameter {
  readonly name: string;
  readonly type: TypeReference;
  readonly defaultValue: Expression | null;
  /** `T... rest`: stands for all remaining arguments. */
  readonly isPack: boolean;
  readonly isArray?: boolean; // of a pack: it is an array, TypeScript's
  readonly span: Span;
}

export interface FunctionDefinition {
  /** As called: `name`, or `Class::name` for members. */
  readonly name: string;
  readonly className: string | null;
  readonly parameters: readonly Parameter[];
  readonly objectParameter?: Parameter; // `this T &self`: what its object is called, which is not among the parameters
  readonly returnType: TypeReference;
  readonly body: FunctionBody | null; // null for a declaration
  readonly memberInitializers: readonly MemberInitializer[];
  /** A constructor that is one `try`: its handlers see what its members throw, too, and what they take is thrown on. */
  readonly isTried?: boolean;
  /** `Ts...` for a pack. */
  readonly templateParameters: readonly string[];
  /** What a parameter is when nobody says. */
  readonly templateDefaults?: readonly (TypeReference | Expression | null)[];
  /** `template <Movable T>`, `requires …`: what must hold. */
  readonly constraints?: readonly Expression[];
  readonly takesAnything?: boolean; // `f(...)`: whatever else is given
  readonly ofInstance?: string; // `template <> int W<char>::get()`: the instance whose method it is, by its specialised name
  /** `template <> void f<int>()`: the arguments it is for. */
  readonly specialises?: readonly (TypeReference | Expression)[];
  readonly isKernel: boolean;
  readonly isDevice: boolean;
  readonly isVirtual: boolean;
  readonly isStatic: boolean;
  /** `get size() {…}`: called where the member is named. */
  readonly isGetter?: boolean;
  readonly isConst?: boolean; // a method that leaves its object as it is
  /** `f() &&`: for objects that are given away or were made where they are used. */
  readonly isForMoved?: boolean;
  readonly neverReturns?: boolean; // `[[noreturn]]`
  readonly runsBesideMain?: 'before' | 'behind'; // `__attribute__((constructor))`, `__attribute__((destructor))`
  /** `= default`, `= delete`: it has no body because it needs none. */
  readonly isDefaulted?: boolean;
  /** The namespaces around it that have names, `a::b`. */
  readonly namespace?: string;
  readonly isLocal?: boolean; // a method of a class that is defined inside a function
  readonly isTest?: boolean | TypeReference['arguments']; // a test that an object of its class, a fixture, is made for, with these arguments
  /** The class template that it stands in as a friend. */
  readonly friendOf?: string;
  readonly span: Span;
  readonly nameSpan: Span;
}

export interface ClassDefinition {
  readonly name: string;
  readonly bases: readonly string[];
  readonly fields: readonly Declaration[];
  readonly methods: readonly FunctionDefinition[];
  readonly templateParameters: readonly string[];
  readonly templateDefaults?: readonly (TypeReference | Expression | null)[];
  /** `struct S<int>`, `struct S<T *>`: the arguments it is for. Its name has them, too. */
  readonly specialises?: readonly (TypeReference | Expression)[];
  readonly madeFor?: ReadonlyMap<string, TypeReference>; // what its parameters stand for: of `template <class Next> struct Logging : Next`
  readonly isClosure?: boolean; // its methods see the variables of the function that it is defined in: TypeScript's
  readonly enclosing?: string; // the class that it is defined in
  readonly within?: string; // what is written before its name: `Stream` of `class Stream::Impl { … };`
  /** What the text calls its bases, where one goes by another name. */
  readonly basesAsWritten?: readonly string[];
  /** The bases with their template arguments, where they have any. */
  readonly baseTypes?: readonly TypeReference[];
  /** Which of its bases are virtual, by their places. */
  readonly virtualBases?: readonly number[];
  /** Some of its own members are private or protected. */
  readonly hidesFields?: boolean;
  /** Other names for types that it defines. */
  readonly aliases?: readonly (readonly [string, TypeReference])[];
  /** `using Base::f;`: what is called so in a base is called so here, too; with `Base::Base` it is made from what that is made from. */
  readonly takesOver?: readonly string[];
  /** `using enum E;`: its enumerators go by their plain names, too. */
  readonly usesEnums?: readonly string[];
  /** `struct alignas(16) S`; packed, its members follow one another without gaps. */
  readonly alignment?: Expression;
  readonly isPacked?: boolean;
  /** A concept: a constant of its name. */
  readonly isConcept?: boolean;
  /** `#pragma pack(2)`: whatever is in it begins at multiples of that at the most. */
  readonly packing?: number;
  readonly span: Span;
}
