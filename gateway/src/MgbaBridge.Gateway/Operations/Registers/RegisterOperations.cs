using System.Text.Json;
using System.Text.Json.Serialization;
using MgbaBridge.Client.Commands;

namespace MgbaBridge.Gateway.Operations.Registers;

/// <summary>The registers of the processor.</summary>
internal static class RegisterOperations
{
    private static readonly Resource Resource = new("Registers", RegisterJson.Default);

    private static readonly StatusNote NoSuchRegister = (ErrorCode.NotFound, "there is no such register; `detail` lists them.");

    private static readonly Parameter<string> Name = Parameter.Text("name", "A register: `r0`..`r15`, `sp`, `lr`, `pc`, `cpsr` (GBA), or `a b c d e f h l af bc de hl sp pc` (GB).", 16) with { Example = "r0" };

    public static CommandOperation<ListRegisters, RegistersAnswer> Get { get; } = new(Resource, "registers.get", HttpMethods.Get, "/v2/registers", Access.Read)
    {
        Summary = "Read all registers in one frame",
        Request = Parameters.Always(new ListRegisters()),
        Read = static (_, reply) => new RegistersAnswer(reply.Frame, reply.Epoch, ListRegisters.Parse(reply)),
        ResponseExample = """{"frame":4711,"epoch":"9f3a01c2","registers":{"r0":33554432,"pc":134218268,"cpsr":1610612767}}""",
    };

    public static CommandOperation<ReadRegister, RegisterAnswer> Read { get; } = new(Resource, "registers.read", HttpMethods.Get, "/v2/registers/{name}", Access.Read)
    {
        Summary = "Read a register",
        Description = "`registers.get` reads all registers in one frame; `batch.run` reads some together with other items.",
        Request = Parameters.Of(Name, static name => new ReadRegister(name)),
        Read = static (command, reply) => new RegisterAnswer(reply.Frame, reply.Epoch, command.Name, ReadRegister.Parse(reply)),
        ResponseExample = """{"frame":4711,"epoch":"9f3a01c2","name":"r0","value":33554432}""",
        Statuses = [NoSuchRegister],
        Batch = BatchEntry.Of(Name with { Name = "register", Sentence = "Read this register." }, static (name, items) =>
        {
            items.Add(new ReadRegister(name), ItemResultKind.Number);
            return null;
        }),
    };

    public static CommandOperation<WriteRegister, DoneAnswer> Write { get; } = new(Resource, "registers.write", HttpMethods.Put, "/v2/registers/{name}", Access.Write)
    {
        Summary = "Write a register",
        Request = Parameters.Of(
            Name,
            Parameter.Integer("value", int.MinValue, (long)uint.MaxValue, "The number, up to 32 bits; negative ones in two's complement."),
            static (name, value) => new WriteRegister(name, value)),
        RequestExample = """{"value":5}""",
        Read = DoneAnswer.Of,
        ResponseExample = DoneAnswer.Example,
        Statuses = [NoSuchRegister],
    };

    /// <summary>All of them.</summary>
    public static IReadOnlyList<Operation> All { get; } = [Get, Read, Write];
}

/// <summary>The JSON of registers.</summary>
[JsonSourceGenerationOptions(JsonSerializerDefaults.Strict, PropertyNamingPolicy = JsonKnownNamingPolicy.CamelCase, DefaultIgnoreCondition = JsonIgnoreCondition.WhenWritingNull)]
[JsonSerializable(typeof(RegisterAnswer))]
[JsonSerializable(typeof(RegistersAnswer))]
internal sealed partial class RegisterJson : JsonSerializerContext;
