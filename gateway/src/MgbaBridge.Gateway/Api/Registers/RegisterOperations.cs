using System.Text.Json.Serialization;
using MgbaBridge.Gateway.Api.Http;
using MgbaBridge.Gateway.Api.Memory;
using MgbaBridge.Gateway.Api.Operations;
using MgbaBridge.Gateway.Commands;

namespace MgbaBridge.Gateway.Api.Registers;

/// <summary>The registers of the processor.</summary>
internal static class RegisterOperations
{
    private const string Tag = "Registers";

    private static readonly (int Status, string When) NoSuchRegister = (StatusCodes.Status404NotFound, "There is no such register; `detail` lists them.");

    public static CommandOperation<NoParameters, ListRegisters, RegistersAnswer> Get { get; } = new("registers.get", HttpMethods.Get, "/v2/registers", Access.Read)
    {
        Tag = Tag,
        Summary = "Read all registers in one frame",
        Request = Request.None,
        Command = CommandFactories.WithoutArguments,
        Read = static (_, reply) => new RegistersAnswer(reply.Frame, reply.Epoch, ListRegisters.Parse(reply)),
        Response = RegisterJson.Default,
        ResponseExample = """{"frame":4711,"epoch":"9f3a01c2","registers":{"r0":33554432,"pc":134218268,"cpsr":1610612767}}""",
    };

    public static CommandOperation<RegisterRequest, ReadRegister, RegisterAnswer> Read { get; } = new("registers.read", HttpMethods.Get, "/v2/registers/{name}", Access.Read)
    {
        Tag = Tag,
        Summary = "Read a register",
        Description = "GET /v2/registers reads all registers in one frame; POST /v2/batch reads some together with other items.",
        Request = Request.Route(RegisterJson.Default, static (HttpContext http, out RegisterRequest request) =>
        {
            request = new RegisterRequest { Name = NameOf(http) };
            return null;
        }),
        Command = static (RegisterRequest request, out ReadRegister command) =>
        {
            command = new ReadRegister(request.Name);
            return null;
        },
        Read = static (command, reply) => new RegisterAnswer(reply.Frame, reply.Epoch, command.Name, ReadRegister.Parse(reply)),
        Response = RegisterJson.Default,
        ResponseExample = """{"frame":4711,"epoch":"9f3a01c2","name":"r0","value":33554432}""",
        OtherResponses = [NoSuchRegister],
        Batch = BatchEntry.Of<string, ReadRegister>("register", "Read this register.", RegisterJson.Default, static (string name, out ReadRegister command) =>
        {
            command = new ReadRegister(name);
            return null;
        }, ItemResultKind.Number),
    };

    public static CommandOperation<WriteRegisterRequest, WriteRegister, DoneAnswer> Write { get; } = new("registers.write", HttpMethods.Put, "/v2/registers/{name}", Access.Write)
    {
        Tag = Tag,
        Summary = "Write a register",
        Inputs = [Input.Holder],
        Request = Request.Body<WriteRegisterRequest, CellBody>(RegisterJson.Default, """{"value":5}""", static (HttpContext http, CellBody body, out WriteRegisterRequest request) =>
        {
            request = new WriteRegisterRequest { Name = NameOf(http), Value = body.Value };
            return null;
        }),
        Command = static (WriteRegisterRequest request, out WriteRegister command) =>
        {
            command = new WriteRegister(request.Name, request.Value);
            return null;
        },
        Read = DoneAnswer.Of,
        Response = BridgeJson.Default,
        ResponseExample = DoneAnswer.Example,
        OtherResponses = [NoSuchRegister],
    };

    /// <summary>All of them.</summary>
    public static IReadOnlyList<Operation> All { get; } = [Get, Read, Write];

    private static string NameOf(HttpContext http) => http.Request.RouteValues["name"] as string ?? "";
}

/// <summary>The JSON of registers.</summary>
[JsonSourceGenerationOptions(
    PropertyNamingPolicy = JsonKnownNamingPolicy.CamelCase,
    DefaultIgnoreCondition = JsonIgnoreCondition.WhenWritingNull,
    NumberHandling = JsonNumberHandling.Strict,
    RespectNullableAnnotations = true,
    AllowDuplicateProperties = false,
    UnmappedMemberHandling = JsonUnmappedMemberHandling.Disallow)]
[JsonSerializable(typeof(string))]
[JsonSerializable(typeof(RegisterRequest))]
[JsonSerializable(typeof(WriteRegisterRequest))]
[JsonSerializable(typeof(CellBody))]
[JsonSerializable(typeof(RegisterAnswer))]
[JsonSerializable(typeof(RegistersAnswer))]
internal sealed partial class RegisterJson : JsonSerializerContext;
