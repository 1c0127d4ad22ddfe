#!/usr/bin/env python3
"""Records the flags of an engine's server from its released source, without importing or running that source.

    python3 maintenance/engine-flags/record.py vllm
    python3 maintenance/engine-flags/record.py sglang
    python3 maintenance/engine-flags/record.py llama-server .tools/bin/llama-server

maintenance/README.md says when.
"""

import ast
import gzip
import hashlib
import io
import json
import re
import subprocess
import sys
import tarfile
import urllib.request
import zipfile
from pathlib import Path

RECORDS = Path(__file__).resolve().parents[2] / 'test/conformance/packages/render/engines'

# The folders of Python's package index are named after the content of their file: such an address keeps its meaning.
INDEX = 'https://files.pythonhosted.org/packages'
RELEASES = {
    'vllm': {
        'version': '0.32.0',
        'folder': 'd5/df/5471312c76e335eaa2b8333e87ea39f0d37bfe24f10a582620e34ff12e33',
        'file': 'vllm-0.32.0.tar.gz',
        'sha256': 'd2c957d5eee3d0985012151315ddc62cbe0cd368fc96a5fc3510438d9dddf2ad',
    },
    'sglang': {
        'version': '0.5.21',
        'folder': 'db/24/8ed5619174477187f01c1c040337471980a865eba9bd7663ea762c0ba2b1',
        'file': 'sglang-0.5.21-cp312-cp312-manylinux_2_34_x86_64.whl',
        'sha256': 'ac300998eb6b1afcb2971b31317b66ef12891003bdf9d1a5c7e34f9d4e3dcf0d',
    },
}


def main(arguments):
    match arguments:
        case ['vllm' | 'sglang' as engine]:
            release = RELEASES[engine]
            modules = python_modules(release, engine)
            options = vllm_options(modules) if engine == 'vllm' else sglang_options(modules)
            source = {'package': release['file'], 'sha256': release['sha256']}
            write(engine, release['version'], source, f'record.py {engine}', options)
        case ['llama-server', program]:
            command = 'record.py llama-server .tools/bin/llama-server'
            write('llama-server', llama_version(program), llama_source(program), command, llama_options(program))
        case _:
            sys.exit(__doc__)


def write(engine, version, source, command, options):
    """Options are tuples of a name and whether it takes no value."""
    record = {
        'engine': engine,
        'version': version,
        'source': source,
        'command': f'python3 maintenance/engine-flags/{command}',
        'flags': sorted({name for name, _ in options}),
        'switches': sorted({name for name, switch in options if switch}),
    }
    path = RECORDS / f'{engine}-flags.json'
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(record, indent=2) + '\n')
    print(f'{path.name}: {len(record["flags"])} flags of {engine} {version}')


# Python sources


def python_modules(release, package):
    """The syntax trees of a package's modules by their path, from a release whose checksum is right."""
    with urllib.request.urlopen(f'{INDEX}/{release["folder"]}/{release["file"]}') as response:
        content = response.read()
    found = hashlib.sha256(content).hexdigest()
    if found != release['sha256']:
        sys.exit(f'{release["file"]} has the SHA-256 {found}, and {release["sha256"]} is pinned')
    unpack = unpack_wheel if release['file'].endswith('.whl') else unpack_sdist
    return Modules({path: read() for path, read in unpack(content) if re.fullmatch(rf'{package}/.*\.py', path)})


def unpack_wheel(content):
    """Pairs of a path and a function that reads the file."""
    with zipfile.ZipFile(io.BytesIO(content)) as wheel:
        for name in wheel.namelist():
            yield name, lambda: wheel.read(name)


def unpack_sdist(content):
    """As for a wheel; the paths are those below the one folder that an sdist has at its top."""
    with tarfile.open(fileobj=io.BytesIO(content)) as sdist:
        for member in filter(tarfile.TarInfo.isfile, sdist):
            yield member.name.partition('/')[2], lambda: sdist.extractfile(member).read()


class Modules:
    """Source texts by path, parsed when they are asked for."""

    def __init__(self, texts):
        self.texts = texts

    def tree(self, path):
        return ast.parse(self.texts[path])

    def below(self, folder):
        return [self.tree(path) for path in sorted(self.texts) if path.startswith(f'{folder}/')]


def classes(tree):
    return {node.name: node for node in tree.body if isinstance(node, ast.ClassDef)}


def functions(node, name):
    return [item for item in node.body if isinstance(item, ast.FunctionDef) and item.name == name]


def fields(node):
    """The annotated fields of a class: pairs of a name and an annotation."""
    return [
        (item.target.id, unquoted(item.annotation))
        for item in node.body
        if isinstance(item, ast.AnnAssign) and isinstance(item.target, ast.Name)
    ]


def unquoted(annotation):
    if isinstance(annotation, ast.Constant) and isinstance(annotation.value, str):
        return ast.parse(annotation.value, mode='eval').body
    return annotation


def members(annotation):
    """The types of a union, as their source text."""
    match unquoted(annotation):
        case ast.BinOp(left=left, op=ast.BitOr(), right=right):
            return members(left) | members(right)
        case ast.Subscript(value=ast.Name(id='Optional'), slice=inner):
            return members(inner) | {'None'}
        case ast.Subscript(value=ast.Name(id='Union'), slice=ast.Tuple(elts=elements)):
            return set().union(*map(members, elements))
        case ast.Subscript(value=ast.Name(id='Annotated'), slice=ast.Tuple(elts=[inner, *_])):
            return members(inner)
        case ast.Subscript(value=ast.Name(id='SkipValidation'), slice=inner):
            return members(inner)
        case other:
            return {ast.unparse(other)}


def is_add_argument(node):
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == 'add_argument'


def option_names(call):
    """The names of an option; a positional argument has none. What computes a name cannot be read from the source."""
    if not all(isinstance(argument, ast.Constant) for argument in call.args):
        sys.exit(f'line {call.lineno}: the names of an option are not constants: {ast.unparse(call)[:80]}')
    return [argument.value for argument in call.args if argument.value.startswith('-')]


def options_of(names, action):
    """What an action makes of names: `store_true` takes no value, BooleanOptionalAction also adds the --no- forms."""
    if action == 'argparse.BooleanOptionalAction':
        negations = ['--no-' + name[2:] for name in names if name.startswith('--')]
        return [(name, True) for name in names + negations]
    return [(name, action in ("'store_true'", 'DeprecatedStoreTrueAction')) for name in names]


def action_of(call):
    return next((ast.unparse(keyword.value) for keyword in call.keywords if keyword.arg == 'action'), None)


def kebab(name):
    return '--' + name.replace('_', '-')


# vLLM: classes of settings, whose fields become options through `get_kwargs`, which gives a boolean a --no- form.


def vllm_options(modules):
    settings = {name: node for tree in modules.below('vllm/config') for name, node in classes(tree).items()}
    engine = classes(modules.tree('vllm/engine/arg_utils.py'))
    front = modules.tree('vllm/entrypoints/launchers/cli_args.py')
    registrations = [
        *functions(engine['EngineArgs'], 'add_cli_args'),
        *functions(engine['AsyncEngineArgs'], 'add_cli_args'),
        *functions(front, 'make_arg_parser'),
    ]
    options = [option for function in registrations for option in vllm_registered(function, settings)]
    for name in ('BaseFrontendArgs', 'FrontendArgs'):
        for field, annotation in fields(classes(front)[name]):
            options += options_of([kebab(field)], boolean_action(annotation, settings))
    return options


def vllm_registered(function, settings):
    """Options of a function that hands `**kwargs["field"]` of `kwargs = get_kwargs(Settings)` to `add_argument`."""
    origins = {}
    for node in ast.walk(function):
        match node:
            case ast.Assign(targets=[ast.Name(id=name)], value=value):
                origins[name] = value
    for call in filter(is_add_argument, ast.walk(function)):
        action = action_of(call)
        for keyword in call.keywords:
            if keyword.arg is None:
                action = action or field_action(keyword.value, origins, settings)
        yield from options_of(option_names(call), action)


def field_action(value, origins, settings):
    """The action of the field of settings that an expression stands for."""
    match value:
        case ast.Dict(keys=keys, values=values):
            spread = next(item for key, item in zip(keys, values) if key is None)
            return field_action(spread, origins, settings)
        case ast.Name(id=name):
            return field_action(origins[name], origins, settings)
        case ast.Subscript(value=ast.Name(id=name), slice=ast.Constant(value=field)):
            return field_action(ast.Subscript(origins[name], ast.Constant(field)), origins, settings)
        case ast.Subscript(
            value=ast.Call(func=ast.Name(id='get_kwargs'), args=[ast.Name(id=owner)]), slice=ast.Constant(value=field)
        ):
            return boolean_action(field_annotation(owner, field, settings), settings)
    sys.exit(f'line {value.lineno}: cannot tell which setting this is: {ast.unparse(value)}')


def field_annotation(owner, field, settings):
    node = settings[owner]
    own = dict(fields(node))
    if field in own:
        return own[field]
    bases = [base.id for base in node.bases if isinstance(base, ast.Name) and base.id in settings]
    return next(field_annotation(base, field, settings) for base in bases)


def boolean_action(annotation, settings):
    """`bool | str | None` is an option with an optional value, and a class of settings is given as JSON."""
    types = members(annotation)
    if 'bool' not in types or types == {'bool', 'str', 'None'} or types & settings.keys():
        return None
    return 'argparse.BooleanOptionalAction'


# SGLang: fields annotated `A[type, "help"]` or `A[type, Arg(...)]`, and a few options by hand.


def sglang_options(modules):
    server = classes(modules.tree('sglang/srt/server_args.py'))['ServerArgs']
    options = []
    for tree in modules.below('sglang/srt/arg_groups/fields'):
        for node in classes(tree).values():
            options += [option for field, annotation in fields(node) for option in sglang_field(field, annotation)]
    for function in functions(server, 'add_cli_args'):
        for call in filter(is_add_argument, ast.walk(function)):
            options += options_of(option_names(call), action_of(call))
    return options


def sglang_field(field, annotation):
    match annotation:
        case ast.Subscript(value=ast.Name(id='A'), slice=ast.Tuple(elts=[kind, *details])):
            pass
        case _:
            return []
    settings = {}
    for detail in details:
        match detail:
            case ast.Call(func=ast.Name(id='Arg'), keywords=keywords):
                settings = {keyword.arg: keyword.value for keyword in keywords}
            case ast.Call(func=ast.Name(id='Derived')):
                return []
    if 'no_cli' in settings and ast.literal_eval(settings['no_cli']):
        return []
    first = ast.literal_eval(settings['cli_name']) if 'cli_name' in settings else kebab(field)
    aliases = ast.literal_eval(settings['aliases']) if 'aliases' in settings else []
    given = ast.unparse(settings['action']) if 'action' in settings else None
    switch = members(kind) - {'None'} == {'bool'}
    return options_of([first, *(aliases or [])], given or ("'store_true'" if switch else None))


# llama-server: its own help, since a build without a library lacks options that the source has.


def llama_options(program):
    """A line of help starts with names and perhaps the placeholder of a value; wide columns follow."""
    options = []
    for line in output(program, '--help').splitlines():
        head = re.match(r'(--?\w[\w-]*(?:, +--?\w[\w-]*)*)(.*)', line)
        if head is None or 'argument has been removed' in line:
            continue
        takes_value = re.match(r' \S', head[2]) is not None
        options += [(name, not takes_value) for name in re.split(r', +', head[1])]
    return options


def llama_version(program):
    found = re.search(r'version: (\S+) \(build (\d+)', output(program, '--version'))
    return f'{found[1]} (build {found[2]})'


def llama_source(program):
    """The toolchain's programs of Debian are scripts beside the files of their packages, changelogs included."""
    root = Path(program).resolve().parent.parent
    with gzip.open(root / 'usr/share/doc/llama.cpp-tools/changelog.Debian.gz', 'rt') as changelog:
        version = re.match(r'\S+ \(([^)]+)\)', changelog.readline())[1]
    checksum = hashlib.sha256((root / 'usr/bin/llama-server').read_bytes()).hexdigest()
    return {'package': f"usr/bin/llama-server of Debian's llama.cpp-tools {version}", 'sha256': checksum}


def output(*command):
    result = subprocess.run(command, capture_output=True, text=True, check=True)
    return result.stdout + result.stderr


if __name__ == '__main__':
    main(sys.argv[1:])
