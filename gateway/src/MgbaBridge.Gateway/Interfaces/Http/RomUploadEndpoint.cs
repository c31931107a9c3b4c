using MgbaBridge.Engines.Supervision;
using MgbaBridge.Gateway.Operations;
using MgbaBridge.Gateway.Operations.Emulators;
using MgbaBridge.Gateway.Operations.States;
using Microsoft.AspNetCore.Http.Features;

namespace MgbaBridge.Gateway.Interfaces.Http;

/// <summary>Receives a ROM: the body goes to the disk as it arrives, and may be larger than those of other requests.</summary>
internal static class RomUploadEndpoint
{
    private static readonly Parameters<string> Name = Parameters.Of(Parameter.Text("name", $"The name of its file. {RomUploads.NameFormat}.") with { Example = "game.gba" });

    public static EndpointOperation Operation { get; } = new EndpointOperation<string>(RomOperations.Resource, "roms.upload", "/v2/roms", Access.Manage, Name, UploadAsync, HttpMethods.Post)
    {
        Summary = "Upload a ROM",
        Description = $"The body is a GBA, GB or GBC ROM of at most {RomUploads.MaxBytes} bytes, or a zip archive with one, of which only the ROM is used. It is kept until it is deleted, and can be started under the name in `rom`. "
            + "The same bytes under the same name are the same ROM.",
        Body = Content.Bytes(),
        Contents = [Content.Json<RomUploadedAnswer>("""{"rom":"game.gba","bytes":4194304,"isNew":true}""")],
        Statuses =
        [
            (RefusalKind.RomExists, "another ROM has the name."),
            RefusalKind.TooLarge,
            (RefusalKind.NotARom, "the bytes are no ROM of these consoles, or the zip archive does not have exactly one."),
            (RefusalKind.MemoryFull, "`Bridge:Owned:MaxRomBytes` is reached."), (RefusalKind.StoreFailed, "the folder cannot be written."),
        ],
    };

    private static async Task UploadAsync(HttpContext http, string name)
    {
        if (http.Features.Get<IHttpMaxRequestBodySizeFeature>() is { IsReadOnly: false } limit)
        {
            limit.MaxRequestBodySize = null; // the store stops at the size of a cartridge
        }

        try
        {
            var uploads = http.RequestServices.GetRequiredService<RomUploads>();
            var result = await uploads.AddAsync(name, http.Request.Body, http.RequestAborted);
            var running = result.Rom is null ? null
                : http.RequestServices.GetRequiredService<Supervisor>().All.FirstOrDefault(emulator => emulator.Request.Options.Patch is null && uploads.IsSame(result.Rom.Name, emulator.Request.Rom));
            await (result.Rom is { } rom
                ? http.Response.WriteAsJsonAsync(new RomUploadedAnswer(rom.Name, rom.Bytes, rom.IsNew, running?.Client.Id, rom.LeftOut.Count > 0 ? rom.LeftOut : null), OwnedJson.Default.RomUploadedAnswer, cancellationToken: http.RequestAborted)
                : Problems.WriteAsync(http, null, RefusalOf(result.Failure!.Value, result.Detail!)).AsTask());
        }
        catch (IOException exception) when (Problems.IsOfTheBody(exception))
        {
            await Problems.BadBodyAsync(http, exception);
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException && !http.RequestAborted.IsCancellationRequested)
        {
            await Problems.WriteAsync(http, null, StoreOperations.StoreFailed(exception));
        }
    }

    private static Refusal RefusalOf(RomUploadFailure failure, string detail) => failure switch
    {
        RomUploadFailure.WrongName => Refusal.BadRequest(detail),
        RomUploadFailure.TooLarge => new Refusal(RefusalKind.TooLarge, detail),
        RomUploadFailure.NameTaken => new Refusal(RefusalKind.RomExists, detail, new NextStep(RomOperations.Delete, "deletes it")),
        RomUploadFailure.Full => new Refusal(RefusalKind.MemoryFull, detail),
        _ => new Refusal(RefusalKind.NotARom, detail),
    };
}
