using System.Buffers;
using MgbaBridge.Client.Commands;
using MgbaBridge.Engines.Symbols;
using MgbaBridge.Gateway.Operations.Memory;

namespace MgbaBridge.Gateway.Operations.Symbols;

/// <summary>Values of memory that are more than a little-endian number: lists, the other byte order, texts.</summary>
internal static class MemoryValueOperations
{
    private static readonly Resource Resource = new("Memory", SymbolJson.Default);
    private const string Path = "/v2/memory/{location}/value";

    public static HandlerOperation<MemoryValueRequest, MemoryValueAnswer> Read { get; } = new(Resource, "memory.readValue", HttpMethods.Get, Path, Access.Read)
    {
        Summary = "Read a list, a text, or a number in either byte order",
        Request = Parameters.Of(
            MemoryOperations.At, ValueTypes.Type, ValueTypes.Count, ValueTypes.Endian, ValueTypes.Length, ValueTypes.Table,
            static (location, type, count, endian, length, table) => new MemoryValueRequest(location, ValueTypes.Shape(type, count, endian, length, table))),
        Run = static (invocation, request) => WithTypeAsync(invocation, request, type => invocation.SendAsync(
            new ReadMemory(request.Location, type.Size), reply => new MemoryValueAnswer(reply.Frame, reply.Epoch, request.Location, type.Read(reply.Tail.Span)))),
        ResponseExample = """{"frame":4711,"epoch":"9f3a01c2","location":"0x02000000","value":[16973,12628]}""",
    };

    public static HandlerOperation<MemoryValueRequest, WriteAnswer> Write { get; } = new(Resource, "memory.writeValue", HttpMethods.Put, Path, Access.Write)
    {
        Summary = "Write a list, a text, or a number in either byte order",
        Description = $"A text is padded to its length with the byte that ends one. More than {Limits.Write >> 10} KiB takes several frames; the response lists them.",
        Request = Parameters.Of(
            MemoryOperations.At, ValueTypes.Type.InQuery(), ValueTypes.Count.InQuery(), ValueTypes.Endian.InQuery(), ValueTypes.Length.InQuery(), ValueTypes.Table.InQuery(), ValueTypes.Value,
            static (location, type, count, endian, length, table, value) => new MemoryValueRequest(location, ValueTypes.Shape(type, count, endian, length, table), value)),
        RequestExample = """{"value":[1,2]}""",
        Run = static (invocation, request) => WithTypeAsync(invocation, request, type =>
        {
            var bytes = new byte[type.Size];
            return type.Write(request.Value, bytes) is { } wrong
                ? ValueTask.FromResult<Result<WriteAnswer>>(Failure.BadRequest(wrong))
                : invocation.SendAsync(new WriteMemory(request.Location, new ReadOnlySequence<byte>(bytes)), WriteAnswer.Of, WriteAnswer.MaxWait(bytes.Length));
        }),
        Response = MemoryJson.Default,
        ResponseExample = WriteAnswer.Example,
    };

    /// <summary>All of them.</summary>
    public static IReadOnlyList<Operation> All { get; } = [Read, Write];

    private static ValueTask<Result<T>> WithTypeAsync<T>(Invocation invocation, MemoryValueRequest request, Func<IValueType, ValueTask<Result<T>>> then)
    {
        return ValueTypes.NeedsMap(request.Shape) ? GameContext.WithAsync(invocation, game => WithMapAsync(game.Names.Properties)) : WithMapAsync(null);

        ValueTask<Result<T>> WithMapAsync(PropertyMap? map) => request.Shape.Resolve(map?.TextTables, null, out var wrong) is { } type
            ? then(type)
            : ValueTask.FromResult<Result<T>>(Failure.BadRequest(wrong.Reason));
    }
}
