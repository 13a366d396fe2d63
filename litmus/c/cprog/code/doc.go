// Package code defines the code of translated C programs: steps over registers, including loops and calls. A
// [Unit] is a program. A [Function] of it has a list of [Step], and each step an [Op], such as [Load], [Store],
// [Update], [Branch], [Call] or [Spawn]. A [Variable] is memory with a name.
//
// A [Builder] adds steps to a function, and [Tidy] removes those that turned out not to be needed. [Effect], [Next] and
// [Live] say what steps do to registers and where they lead. [Fold], [Not] and the like apply operators at once if
// their operands are constants.
//
// Package codegen makes a Unit; packages elaborate and run execute it. It imports no package that runs code.
package code
