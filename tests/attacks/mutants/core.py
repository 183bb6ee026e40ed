#!/usr/bin/env python3
"""Mutants of the C++ core: finds them with libclang, and puts some of them behind switches.

    core.py list ROOT INCLUDE...   prints a table of all mutants of ROOT/inst/include/cawi
    core.py apply ROOT TABLE       rewrites the headers of ROOT with the mutants of the table

A mutant replaces the bytes [first, last) of a file. Where it is applied, the code becomes
`(CAWI_MUTANT(id) ? (changed) : (original))`, so that one compilation serves them all.
"""
import csv
import os
import sys

FIELDS = ["file", "line", "first", "last", "kind", "place", "from", "to"]
SWAPS = {
    "+": "-", "-": "+", "*": "/", "/": "*", "<": "<=", "<=": "<", ">": ">=", ">=": ">",
    "==": "!=", "!=": "==", "&&": "||", "||": "&&", "+=": "-=", "-=": "+=", "*=": "/=", "/=": "*=",
}
CALLS = {"std::min": "std::max", "std::max": "std::min"}


class Finder:
    """Walks through the syntax tree and collects what can be changed."""

    def __init__(self, kinds, types, folder):
        self.kinds, self.folder = kinds, folder
        self.numbers = set(types)
        self.sources, self.found, self.seen = {}, [], set()

    def source(self, name):
        if name not in self.sources:
            with open(name, "rb") as handle:
                self.sources[name] = handle.read()
        return self.sources[name]

    def text(self, cursor):
        start, end = cursor.extent.start, cursor.extent.end
        return self.source(start.file.name)[start.offset:end.offset].decode()

    def add(self, kind, place, cursor, changed):
        start, end = cursor.extent.start, cursor.extent.end
        original = self.text(cursor)
        # Code that a macro wrote has no place of its own.
        whole = original.count("(") == original.count(")") and "#" not in original
        key = (start.file.name, start.offset, end.offset, changed)
        if not whole or original.endswith(";") or key in self.seen:
            return
        self.seen.add(key)
        self.found.append({
            "file": os.path.relpath(start.file.name, self.folder), "line": start.line,
            "first": start.offset, "last": end.offset, "kind": kind, "place": place,
            "from": original, "to": changed})

    def is_number(self, cursor):
        return cursor.type.get_canonical().kind in self.numbers

    def operator(self, cursor, place, in_loop):
        """The sign between two operands, and the same with another sign. A loop that goes on too
        long would touch memory of others, so it ends too early instead."""
        left, right = list(cursor.get_children())
        source = self.source(cursor.extent.start.file.name)
        start, end = left.extent.end.offset, right.extent.start.offset
        sign = source[start:end].decode().strip()
        if sign not in SWAPS or not self.is_number(cursor):
            return
        if not (self.is_number(left) and self.is_number(right)):
            return
        changed = "{} {} {}".format(self.text(left), SWAPS[sign], self.text(right))
        if in_loop and sign == "<":
            changed = "{} + 1 < {}".format(self.text(left), self.text(right))
        self.add("operator", place, cursor, changed)

    def unary(self, cursor, place):
        code = self.text(cursor)
        if code[:1] in "!-" and code[:2] != "--" and self.is_number(cursor):
            self.add("sign", place, cursor, code[1:])

    def literal(self, cursor, place):
        code = self.text(cursor)
        if not code[:1].isdigit() and not code.startswith("."):
            return
        zero = code.rstrip("uUlL.0") == "" and code[:1] == "0" and not code.startswith("0x")
        # One more is nothing for a large number.
        step = " * 2" if code.split(".")[0].isdigit() and int(code.split(".")[0]) >= 100 else " + 1"
        self.add("constant", place, cursor, code.replace("0", "1", 1) if zero else code + step)

    def condition(self, cursor, place):
        children = list(cursor.get_children())
        first = children[0]
        if first.kind in (self.kinds.VAR_DECL, self.kinds.DECL_STMT) or not self.is_number(first):
            return
        if "constexpr" in self.source(first.extent.start.file.name)[
                cursor.extent.start.offset:first.extent.start.offset].decode():
            return
        self.add("condition", place, first, "!({})".format(self.text(first)))

    def statements(self, cursor, place):
        for child in cursor.get_children():
            if child.kind in (self.kinds.CALL_EXPR, self.kinds.COMPOUND_ASSIGNMENT_OPERATOR) or (
                    child.kind == self.kinds.BINARY_OPERATOR and " = " in self.text(child)):
                self.add("statement", place, child, "static_cast<void>(0)")

    def call(self, cursor, place):
        code = self.text(cursor)
        for name, other in CALLS.items():
            if code.startswith(name + "(") or code.startswith(name + "<"):
                self.add("call", place, cursor, other + code[len(name):])

    def is_constant(self, cursor):
        """Is the value needed when the code is compiled?"""
        kinds = self.kinds
        if cursor.kind in (kinds.STATIC_ASSERT, kinds.ENUM_DECL, kinds.FIELD_DECL,
                           kinds.TEMPLATE_TYPE_PARAMETER, kinds.TEMPLATE_NON_TYPE_PARAMETER,
                           kinds.TYPE_ALIAS_DECL, kinds.TYPE_REF, kinds.CASE_STMT):
            return True
        if cursor.kind == kinds.VAR_DECL:
            parent = cursor.semantic_parent
            code = self.text(cursor)
            outside = parent is None or parent.kind in (
                kinds.NAMESPACE, kinds.TRANSLATION_UNIT, kinds.CLASS_DECL, kinds.STRUCT_DECL)
            return outside or "constexpr" in code.split("=")[0] or "[" in code.split("=")[0]
        if cursor.kind in (kinds.FUNCTION_DECL, kinds.CXX_METHOD, kinds.FUNCTION_TEMPLATE,
                           kinds.CONSTRUCTOR):
            return "constexpr" in self.text(cursor).split("{")[0]
        return False

    def walk(self, cursor, place):
        kinds = self.kinds
        named = (kinds.FUNCTION_DECL, kinds.CXX_METHOD, kinds.FUNCTION_TEMPLATE, kinds.CONSTRUCTOR,
                 kinds.DESTRUCTOR, kinds.CONVERSION_FUNCTION)
        for child in cursor.get_children():
            start = child.extent.start
            if start.file is None or not start.file.name.startswith(self.folder + "/cawi/"):
                # Namespaces are open in many files.
                if child.kind != kinds.NAMESPACE:
                    continue
            elif self.is_constant(child):
                continue
            inner = child.spelling if child.kind in named else place
            if inner:
                self.visit(child, inner, cursor.kind == kinds.FOR_STMT)
            self.walk(child, inner)

    def visit(self, cursor, place, in_loop):
        kinds = self.kinds
        if cursor.kind in (kinds.BINARY_OPERATOR, kinds.COMPOUND_ASSIGNMENT_OPERATOR):
            self.operator(cursor, place, in_loop)
        elif cursor.kind == kinds.UNARY_OPERATOR:
            self.unary(cursor, place)
        elif cursor.kind in (kinds.INTEGER_LITERAL, kinds.FLOATING_LITERAL):
            self.literal(cursor, place)
        elif cursor.kind in (kinds.IF_STMT, kinds.CONDITIONAL_OPERATOR, kinds.WHILE_STMT):
            self.condition(cursor, place)
        elif cursor.kind == kinds.COMPOUND_STMT:
            self.statements(cursor, place)
        elif cursor.kind == kinds.CALL_EXPR:
            self.call(cursor, place)


def find(root, includes):
    from clang import cindex
    folder = os.path.join(os.path.abspath(root), "inst/include")
    options = ["-std=c++17", "-x", "c++", "-DARMA_64BIT_WORD=1", "-I" + folder]
    options += ["-I" + path for path in includes]
    unit = cindex.Index.create().parse(os.path.join(folder, "cawi.hpp"), args=options)
    wrong = [d for d in unit.diagnostics if d.severity >= cindex.Diagnostic.Error]
    if wrong:
        sys.exit("core.py: {}".format(wrong[0]))
    kind = cindex.TypeKind
    # Types of templates are not known yet: what does not compile with them is given up later.
    numbers = [kind.BOOL, kind.INT, kind.UINT, kind.LONG, kind.ULONG, kind.LONGLONG, kind.ULONGLONG,
               kind.DOUBLE, kind.FLOAT, kind.SHORT, kind.USHORT, kind.CHAR_S, kind.UCHAR,
               kind.VECTOR, kind.DEPENDENT]
    finder = Finder(cindex.CursorKind, numbers, folder)
    finder.walk(unit.cursor, "")
    table = csv.DictWriter(sys.stdout, FIELDS)
    table.writeheader()
    table.writerows(sorted(finder.found, key=lambda m: (m["file"], m["first"], m["last"])))


def apply(root, path):
    with open(path, newline="") as handle:
        mutants = list(csv.DictReader(handle))
    files = {}
    for mutant in mutants:
        files.setdefault(mutant["file"], []).append(mutant)
    for name, changes in files.items():
        target = os.path.join(root, "inst/include", name)
        with open(target, "rb") as handle:
            code = handle.read()
        for mutant in sorted(changes, key=lambda m: -int(m["first"])):
            first, last = int(mutant["first"]), int(mutant["last"])
            original, changed = code[first:last], mutant["to"].encode()
            switch = b"CAWI_MUTANT(" + mutant["id"].encode() + b")"
            if mutant["kind"] == "statement":
                new = b"if (!" + switch + b") " + original
            elif mutant["kind"] == "condition":
                # What is only converted to a truth value has another type than its negation.
                new = (b"(" + switch + b" ? (" + changed + b") : cawi_mutants::truth(" + original +
                       b"))")
            else:
                new = b"(" + switch + b" ? (" + changed + b") : (" + original + b"))"
            code = code[:first] + new + code[last:]
        with open(target, "wb") as handle:
            handle.write(code)


if __name__ == "__main__":
    if len(sys.argv) > 2 and sys.argv[1] == "list":
        find(sys.argv[2], sys.argv[3:])
    elif len(sys.argv) == 4 and sys.argv[1] == "apply":
        apply(sys.argv[2], sys.argv[3])
    else:
        sys.exit(__doc__)
