using MgbaBridge.Gateway.Api.Http;
using MgbaBridge.Gateway.Api.Json;
using MgbaBridge.Gateway.Api.Memory;
using MgbaBridge.Gateway.Commands;

namespace MgbaBridge.Gateway.Api.Registers;

/// <summary>The registers of the processor.</summary>
public static class RegisterEndpoints
{
    private const string Tag = "Registers";

    /// <summary>Adds <c>/v2/registers</c> and <c>/v2/registers/{name}</c>.</summary>
    public static void MapRegisters(this IEndpointRouteBuilder routes)
    {
        routes.MapGet("/v2/registers", ReadAll).Describe(new OperationDescription(Tag, "Read all registers, in one frame")
        {
            Answers = [Content.Json<RegistersAnswer>("""{"frame":4711,"epoch":"9f3a01c2","registers":{"r0":33554432,"pc":134218268,"cpsr":1610612767}}""")],
        });
        routes.MapGet("/v2/registers/{name}", Read).Describe(new OperationDescription(Tag, "Read a register")
        {
            Description = "All in one frame: GET /v2/registers. Some with other things: POST /v2/batch.",
            Answers = [Content.Json<RegisterAnswer>("""{"frame":4711,"epoch":"9f3a01c2","name":"r0","value":33554432}""")],
            OtherResponses = [(404, "There is no such register; `detail` lists them.")],
        });
        routes.MapPut("/v2/registers/{name}", Write).Describe(new OperationDescription(Tag, "Write a register")
        {
            Inputs = [Input.Holder],
            Body = Content.Json<CellBody>("""{"value":5}"""),
            Answers = [Content.Json<DoneAnswer>("""{"frame":4711,"epoch":"9f3a01c2"}""")],
            OtherResponses = [(404, "There is no such register; `detail` lists them.")],
        });
    }

    private static Task ReadAll(HttpContext http) => http.SendAsync(new ListRegisters(), static (http, _, reply) =>
        JsonBody.WriteAsync(http, new RegistersAnswer(reply.Frame, reply.Epoch, ListRegisters.Parse(reply)), BridgeJson.Default.RegistersAnswer));

    private static Task Read(HttpContext http) => http.SendAsync(new ReadRegister(Name(http)), static (http, command, reply) =>
        JsonBody.WriteAsync(http, new RegisterAnswer(reply.Frame, reply.Epoch, command.Name, ReadRegister.Parse(reply)), BridgeJson.Default.RegisterAnswer));

    private static async Task Write(HttpContext http)
    {
        if (await JsonBody.ReadAsync(http, BridgeJson.Default.CellBody) is { } body)
        {
            await http.SendAsCallerAsync(new WriteRegister(Name(http), body.Value), Callers.DoneAsync);
        }
    }

    private static string Name(HttpContext http) => http.Request.RouteValues["name"] as string ?? "";
}
